import { create, isSafe, urlOf } from './dom.js';
import { LANGUAGES } from './languages.js';

/** A text of people, which may run from right to left; no text for none. */
const told = (text) => text && create('span', { dir: 'auto' }, text);

/** What stands on a card. */
export function factsOf({ profile = {} }, language) {
  const words = LANGUAGES[language];
  const { species, breeds = [], sex, size } = profile;
  const facts = [species, breeds.join(' / '), ageOf(profile, language), words[sex], words[size]];
  return facts.filter(Boolean).join(' · ');
}

/** All that is known of an animal but name, photos, description and page: terms and descriptions of a list. */
export function detailsOf({ profile = {}, createdAt }, language) {
  const words = LANGUAGES[language];
  const { breeds = [], colors = [], goodWith = {}, adoptionFee } = profile;
  const date = (day) => new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(day);
  const answer = (value) => value !== undefined && (value ? words.yes : words.no);
  const rows = {
    species: told(profile.species),
    breeds: told([breeds.join(' / '), profile.mixedBreed && words.mixed].filter(Boolean).join(', ')),
    age: ageOf(profile, language),
    // A day without a time: noon is that day everywhere.
    bornOn: profile.bornOn && date(new Date(`${profile.bornOn}T12:00`)),
    sex: words[profile.sex],
    size: words[profile.size],
    coat: words[`${profile.coat}Coat`] ?? words[profile.coat],
    colors: told(colors.join(', ')),
    'good-with': Object.entries(goodWith)
      .map(([whom, value]) => `${words[whom]}: ${answer(value)}`)
      .join(', '),
    spayedNeutered: answer(profile.spayedNeutered),
    houseTrained: answer(profile.houseTrained),
    vaccinated: answer(profile.vaccinated),
    specialNeeds: answer(profile.specialNeeds),
    adoptionFee:
      adoptionFee &&
      new Intl.NumberFormat(language, { style: 'currency', currency: adoptionFee.currency }).format(
        adoptionFee.amount,
      ),
    location: told(profile.location),
    reference: told(profile.reference),
    createdAt: createdAt && date(new Date(createdAt)),
  };
  return Object.entries(rows).flatMap(([name, text]) =>
    text ? [create('dt', {}, words[name]), create('dd', {}, text)] : [],
  );
}

/** Photos that a page may load, each as an image; those of a list are loaded when they come into view. */
export function photosOf({ name, profile: { photos = [] } = {} }) {
  return photos
    .filter(({ url }) => isSafe(urlOf(url)))
    .map(({ url, description }) =>
      create('img', {
        part: 'photo',
        loading: 'lazy',
        referrerpolicy: 'no-referrer',
        alt: description ?? name,
        src: url,
      }),
    );
}

/** `3 years`, in months below two years; the group of an animal whose day of birth is not known. */
function ageOf({ bornOn, ageGroup }, language) {
  if (bornOn === undefined) return LANGUAGES[language][ageGroup];
  const [year, month, day] = bornOn.split('-').map(Number);
  const now = new Date();
  const isBefore = now.getDate() < day;
  const months = Math.max(0, (now.getFullYear() - year) * 12 + now.getMonth() + 1 - month - isBefore);
  const [count, unit] = months < 24 ? [months, 'month'] : [Math.floor(months / 12), 'year'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}
