import type { Service } from './service.interface.js';

/** The first steps, for a person who has just run `npm start`. */
export function startupBanner({ origin, demoKey }: Service): string {
  const key =
    demoKey === undefined
      ? [
          '  Key    the demo key was shown at the first start; make another one with',
          '           npm run key -- create --name me --plan free',
        ]
      : [
          `  Key    ${demoKey}   (shown only this once)`,
          '',
          '  Try:',
          '',
          `  curl -H "Authorization: Bearer ${demoKey}" "${origin}/v1/pets?limit=3"`,
          '',
          '  For the snippets of the guide:',
          '',
          `  export PETSTORE_URL=${origin}/v1 PETSTORE_KEY=${demoKey}`,
        ];
  return [
    '',
    '  Pet Store Service',
    '',
    `  API    ${origin}/v1`,
    `  Docs   ${origin}/docs`,
    `  Guide  ${origin}/docs/guide`,
    ...key,
    '\n',
  ].join('\n');
}
