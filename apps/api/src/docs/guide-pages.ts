/** The page of the guide that shows how the operations of a tag are used. */
const OF_TAG: Readonly<Record<string, string>> = {
  Pets: 'pages',
  Categories: 'categories',
  Store: 'adoption',
  Events: 'copies',
  Keys: 'limits',
  Webhooks: 'webhooks',
};

/** Operations that another page shows. */
const OF_OPERATION: Readonly<Record<string, string>> = {
  createPet: 'first-call',
  updatePet: 'changes',
  deletePet: 'changes',
  getPet: 'deprecation',
  getPetProfile: 'show-animals',
  replacePetProfile: 'show-animals',
};

/**
 * Where the guide shows how an operation is used (OpenAPI, "externalDocs").
 *
 * @param docs where the docs page is
 * @throws Error for a tag that has no page
 */
export function guideOf(
  { operationId = '', tags = [] }: { readonly operationId?: string; readonly tags?: readonly string[] },
  docs: string,
): { readonly description: string; readonly url: string } {
  const [tag = ''] = tags;
  const page = OF_OPERATION[operationId] ?? OF_TAG[tag];
  if (page === undefined) throw new Error(`guide-pages.ts names no page of the guide for ${operationId}.`);
  return { description: 'How it is used, in the guide.', url: `${docs}/guide/${page}` };
}
