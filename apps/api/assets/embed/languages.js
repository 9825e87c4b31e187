const TAGS = ['en', 'de', 'es', 'fr'];

/**
 * What the element says, in the order of the languages. `{n}` is a number. Words of animals have the names that the service
 * has for them.
 */
const WORDS = {
  more: ['Show more', 'Mehr zeigen', 'Mostrar más', 'Afficher plus'],
  none: [
    'No animals were found.',
    'Es wurden keine Tiere gefunden.',
    'No se ha encontrado ningún animal.',
    'Aucun animal n’a été trouvé.',
  ],
  one: ['{n} animal', '{n} Tier', '{n} animal', '{n} animal'],
  many: ['{n} animals', '{n} Tiere', '{n} animales', '{n} animaux'],
  orMore: ['{n} animals or more', '{n} Tiere oder mehr', '{n} animales o más', '{n} animaux ou plus'],
  wait: [
    'One moment, please …',
    'Einen Moment, bitte …',
    'Un momento, por favor …',
    'Un instant, s’il vous plaît …',
  ],
  find: ['Find an animal', 'Ein Tier finden', 'Encontrar un animal', 'Trouver un animal'],
  any: ['any', 'egal', 'cualquiera', 'indifférent'],
  gone: ['no longer available', 'nicht mehr verfügbar', 'ya no está disponible', 'n’est plus disponible'],
  changed: [
    'This has just changed.',
    'Das hat sich gerade geändert.',
    'Esto acaba de cambiar.',
    'Cela vient de changer.',
  ],
  close: ['Close', 'Schließen', 'Cerrar', 'Fermer'],
  photos: ['Photos', 'Fotos', 'Fotos', 'Photos'],
  page: [
    'More about this animal',
    'Mehr über dieses Tier',
    'Más sobre este animal',
    'En savoir plus sur cet animal',
  ],
  yes: ['yes', 'ja', 'sí', 'oui'],
  no: ['no', 'nein', 'no', 'non'],
  mixed: ['mix', 'Mischling', 'mestizo', 'croisé'],
  pending: ['reserved', 'reserviert', 'reservado', 'réservé'],
  sold: ['adopted', 'vermittelt', 'adoptado', 'adopté'],
  species: ['Species', 'Tierart', 'Especie', 'Espèce'],
  breeds: ['Breed', 'Rasse', 'Raza', 'Race'],
  age: ['Age', 'Alter', 'Edad', 'Âge'],
  bornOn: ['Born on', 'Geboren am', 'Nacimiento', 'Date de naissance'],
  sex: ['Sex', 'Geschlecht', 'Sexo', 'Sexe'],
  size: ['Size', 'Größe', 'Tamaño', 'Taille'],
  coat: ['Coat', 'Fell', 'Pelo', 'Pelage'],
  colors: ['Colours', 'Farben', 'Colores', 'Couleurs'],
  'good-with': ['Good with', 'Verträglich mit', 'Se lleva bien con', 'S’entend avec'],
  text: [
    'Words in the description',
    'Wörter in der Beschreibung',
    'Palabras en la descripción',
    'Mots dans la description',
  ],
  spayedNeutered: ['Spayed or neutered', 'Kastriert', 'Esterilizado', 'Stérilisé'],
  houseTrained: ['House-trained', 'Stubenrein', 'Hace sus necesidades fuera', 'Propre'],
  vaccinated: ['Vaccinated', 'Geimpft', 'Vacunado', 'Vacciné'],
  specialNeeds: ['Special needs', 'Besondere Bedürfnisse', 'Necesidades especiales', 'Besoins particuliers'],
  adoptionFee: ['Adoption fee', 'Schutzgebühr', 'Tasa de adopción', 'Frais d’adoption'],
  location: ['Where', 'Wo', 'Dónde', 'Où'],
  reference: ['Number', 'Nummer', 'Número', 'Numéro'],
  createdAt: ['Added on', 'Eingestellt am', 'Publicado el', 'Ajouté le'],
  female: ['female', 'weiblich', 'hembra', 'femelle'],
  male: ['male', 'männlich', 'macho', 'mâle'],
  baby: ['baby', 'Jungtier', 'cachorro', 'bébé'],
  young: ['young', 'jung', 'joven', 'jeune'],
  adult: ['adult', 'erwachsen', 'edad adulta', 'adulte'],
  senior: ['senior', 'im Seniorenalter', 'edad avanzada', 'âge avancé'],
  small: ['small', 'klein', 'tamaño pequeño', 'petite taille'],
  medium: ['medium-sized', 'mittelgroß', 'tamaño mediano', 'taille moyenne'],
  large: ['large', 'groß', 'tamaño grande', 'grande taille'],
  xlarge: ['very large', 'sehr groß', 'tamaño muy grande', 'très grande taille'],
  hairless: ['hairless', 'ohne Fell', 'sin pelo', 'sans poils'],
  shortCoat: ['short', 'kurz', 'corto', 'court'],
  mediumCoat: ['medium', 'mittellang', 'medio', 'mi-long'],
  longCoat: ['long', 'lang', 'largo', 'long'],
  wire: ['wire', 'drahtig', 'duro', 'dur'],
  curly: ['curly', 'lockig', 'rizado', 'bouclé'],
  children: ['children', 'Kindern', 'niños', 'les enfants'],
  dogs: ['dogs', 'Hunden', 'perros', 'les chiens'],
  cats: ['cats', 'Katzen', 'gatos', 'les chats'],
};

/** All words by name, by language. */
export const LANGUAGES = Object.fromEntries(
  TAGS.map((tag, at) => [
    tag,
    Object.fromEntries(Object.entries(WORDS).map(([name, words]) => [name, words[at]])),
  ]),
);

/** Of `pt-BR` the language is `pt`; one that is not known is English. */
export function languageOf(tag) {
  const language = String(tag).trim().toLowerCase().split('-')[0];
  return TAGS.includes(language) ? language : 'en';
}
