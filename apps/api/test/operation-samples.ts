/** An animal to be added. */
export const NEW_PET = { name: 'Rex', categoryId: 1 };

/** A body that each operation with one accepts, and the table that it cannot do without. */
export const samples: Readonly<Record<string, { readonly body?: unknown; readonly table: string }>> = {
  listPets: { table: 'pets' },
  createPet: { body: NEW_PET, table: 'pets' },
  getPet: { table: 'pets' },
  updatePet: { body: { name: 'Mia' }, table: 'pets' },
  deletePet: { table: 'pets' },
  listEvents: { table: 'events' },
  getInventory: { table: 'inventory' },
  getUsage: { table: 'api_key_usage' },
  listCategories: { table: 'categories' },
  createCategory: { body: { name: 'Ants' }, table: 'categories' },
  getCategory: { table: 'categories' },
  putCategory: { body: { name: 'Bees' }, table: 'categories' },
  deleteCategory: { table: 'categories' },
  listOrders: { table: 'orders' },
  placeOrder: { body: { petId: 1 }, table: 'orders' },
  getOrder: { table: 'orders' },
  cancelOrder: { body: {}, table: 'orders' },
  approveOrder: { table: 'orders' },
  deliverOrder: { table: 'orders' },
  declineOrder: { body: {}, table: 'orders' },
  returnOrder: { body: {}, table: 'orders' },
};
