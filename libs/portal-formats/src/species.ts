/** Types of Petfinder and of Adopt-a-Pet, and the animals that are of both; English names in the singular. */
const TYPES: readonly (readonly [petfinder: string, adoptAPet: string, animals: string])[] = [
  ['Dog', 'Dog', 'dog; puppy'],
  ['Cat', 'Cat', 'cat; kitten'],
  ['Rabbit', 'Rabbit', 'rabbit; bunny; hare'],
  ['Horse', 'Horse', 'horse; foal; pony; donkey; mule'],
  ['Pig', 'Farm Animal', 'pig; piglet; potbellied pig'],
  ['Barnyard', 'Farm Animal', 'barnyard; farm animal; goat; sheep; lamb; cow; cattle; calf; alpaca; llama'],
  ['Bird', 'Farm Animal', 'chicken; hen; rooster; turkey; guinea fowl'],
  [
    'Bird',
    'Bird',
    `bird; parrot; parakeet; budgie; budgerigar; cockatiel; cockatoo; macaw; conure; lovebird; canary; finch; dove;
    pigeon; duck; goose; swan; quail; peacock; owl`,
  ],
  [
    'Small & Furry',
    'Small Animal',
    `small & furry; small&furry; small animal; guinea pig; hamster; gerbil; mouse; rat; chinchilla; degu; ferret;
    hedgehog; sugar glider; prairie dog; skunk`,
  ],
  [
    'Scales, Fins & Other',
    'Reptile',
    `scales, fins & other; reptile; snake; lizard; gecko; iguana; chameleon; bearded dragon; turtle; tortoise; terrapin;
    frog; toad; newt; salamander; axolotl; fish; goldfish; tarantula; hermit crab`,
  ],
];

const BY_ANIMAL = new Map(
  TYPES.flatMap((type) => type[2].split(/;\s+/).map((animal) => [animal, type] as const)),
);

const typeOf = (species: string | undefined): (typeof TYPES)[number] | undefined =>
  BY_ANIMAL.get(species?.trim().toLowerCase() ?? '');

/** Petfinder's type of a species; `undefined` where it has none. */
export const petfinderType = (species: string | undefined): string | undefined => typeOf(species)?.[0];

/** Adopt-a-Pet's. */
export const adoptAPetType = (species: string | undefined): string | undefined => typeOf(species)?.[1];

/** Whether an animal is of this type of Petfinder's. */
export const isDog = (species: string | undefined): boolean => petfinderType(species) === 'Dog';
