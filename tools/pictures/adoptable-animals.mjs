// Takes the pictures of the element in docs/pictures: a shelter's page with filters, the details of an animal, and a phone. Run
// it when the element looks different:
// node tools/pictures/adoptable-animals.mjs
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '../test-servers/dist/index.js';

const fileAt = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const SERVICE = 'https://api.example';
const SITE = 'https://shelter.example';

/** A drawn head with ears, in place of a photo. */
const photo = (fur, ground, ears) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300">
  <rect width="400" height="300" fill="${ground}"/>
  <g fill="${fur}">${ears}<ellipse cx="200" cy="190" rx="95" ry="90"/></g>
  <g fill="#222"><circle cx="165" cy="175" r="11"/><circle cx="235" cy="175" r="11"/><ellipse cx="200" cy="215" rx="17" ry="12"/></g>
</svg>`;
const DOG = '<ellipse cx="105" cy="165" rx="38" ry="75"/><ellipse cx="295" cy="165" rx="38" ry="75"/>';
const CAT = '<path d="M115 160 120 55 195 115z"/><path d="M285 160 280 55 205 115z"/>';
const RABBIT = '<ellipse cx="160" cy="80" rx="24" ry="72"/><ellipse cx="240" cy="80" rx="24" ry="72"/>';

const ANIMALS = [
  [
    'Nora',
    {
      ...{
        species: 'dog',
        breeds: ['Labrador Retriever', 'Poodle'],
        ageGroup: 'young',
        sex: 'female',
        size: 'large',
      },
      ...{
        coat: 'curly',
        colors: ['sand'],
        goodWith: { children: true, dogs: true, cats: false },
        vaccinated: true,
      },
      ...{ adoptionFee: { amount: '280', currency: 'EUR' }, location: 'Foster home in Leeds' },
      description: 'Loves water, and everybody who throws a ball.\nNeeds a garden.',
    },
    '#caa46a',
    '#dfe8d8',
    DOG,
  ],
  [
    'Max',
    { species: 'dog', breeds: ['Beagle'], ageGroup: 'adult', sex: 'male', size: 'medium' },
    '#8d5a3b',
    '#e6dccb',
    DOG,
  ],
  [
    'Luna',
    { species: 'cat', breeds: ['European Shorthair'], ageGroup: 'senior', sex: 'female', size: 'small' },
    '#6b6f78',
    '#dde4ee',
    CAT,
  ],
  ['Momo', { species: 'cat', ageGroup: 'baby', sex: 'male' }, '#d98a4a', '#f0e3d6', CAT],
  [
    'Flocke',
    { species: 'rabbit', breeds: ['Lop'], ageGroup: 'adult', sex: 'female', size: 'small' },
    '#c9bfb5',
    '#d8e6da',
    RABBIT,
  ],
  [
    'Benno',
    { species: 'dog', breeds: ['Shepherd'], ageGroup: 'senior', sex: 'male', size: 'xlarge' },
    '#574638',
    '#e9e4d3',
    DOG,
  ],
];
const list = ANIMALS.map(([name, profile], at) => ({
  ...{ id: at + 1, name, categoryId: 7, status: 'available', createdAt: '2026-11-21T10:00:00.000Z' },
  profile: { ...profile, photos: [{ url: `${SITE}/${at}.svg`, description: name }] },
}));

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>A shelter</title>
<meta name="viewport" content="width=device-width">
<body style="font: 16px/1.4 Georgia, serif; color: #2b2b2b; background: #fbfaf7; margin: 2rem">
<h1>Waiting for you</h1>
<script type="module" src="${SERVICE}/embed/v1/adoptable-animals.js"></script>
<adoptable-animals style="--adoptable-accent: #24613b; --adoptable-background: #fbfaf7" limit="6" details
  filters="species age-group size sex good-with text" species-choices="dog=Dogs,cat=Cats,rabbit=Rabbits"
  api-key="pet_pub_live_${'0'.repeat(44)}"></adoptable-animals>`;

const browser = await launchChromium();

/** A new page of the shelter, once its animals are there. */
async function open(viewport) {
  const page = await browser.newPage({ viewport });
  await page.route(`${SITE}/**`, (route) => {
    const at = /(\d)\.svg$/.exec(route.request().url())?.[1];
    return at === undefined
      ? route.fulfill({ contentType: 'text/html', body: PAGE })
      : route.fulfill({ contentType: 'image/svg+xml', body: photo(...ANIMALS[at].slice(2)) });
  });
  const script = await readFile(fileAt('apps/api/dist/embed/identity/adoptable-animals.js'));
  const headers = {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Headers': 'Authorization',
    'Access-Control-Expose-Headers': 'Link',
    Link: '</v1/pets?cursor=c>; rel="next"',
  };
  await page.route(`${SERVICE}/**`, (route) =>
    route.request().url().endsWith('.js')
      ? route.fulfill({ contentType: 'text/javascript', headers, body: script })
      : route.fulfill({ headers, json: list }),
  );
  await page.goto(SITE);
  await page.getByRole('button', { name: 'Show more' }).waitFor();
  await page.waitForLoadState('networkidle');
  return page;
}

try {
  const picture = (page, name) =>
    page.screenshot({ path: fileAt(`docs/pictures/adoptable-animals${name}.png`) });
  const page = await open({ width: 900, height: 860 });
  await picture(page, '');
  await page.getByRole('link', { name: 'Nora' }).click();
  await page.getByRole('dialog').waitFor();
  await page.waitForLoadState('networkidle');
  await picture(page, '-details');
  await picture(await open({ width: 375, height: 700 }), '-phone');
} finally {
  await browser.close();
}
