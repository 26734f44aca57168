const words = (text: string): readonly string[] => text.split(' ')

export const firstNames = words(
  'Ada Amara Anton Aylin Beatriz Björn Carlos Chloé Daniel Elif Emil Esra Fatima Finn Grace Hana Hugo Ines Ivan Jana João Kaito Karim Lena Leyla Linus Lucía Maja Malik Mateo Mei Mina Nadia Noah Nora Olga Omar Paula Priya Rafael Rosa Samir Sofia Tariq Theo Uma Viktor Yuki Zoë Zuri',
)

export const lastNames = words(
  'Abebe Adler Almeida Andersson Bauer Bianchi Castro Chen Costa Dubois Eriksen Fernández Fischer García Haddad Hansen Hoffmann Ibrahim Ito Jansen Kaya Keller Kim Kowalski Larsen Lopez Martin Meyer Moreau Müller Nakamura Nguyen Novak Okafor Oliveira Park Patel Petrov Rossi Santos Sato Schmidt Silva Singh Smith Tanaka Torres Vogel Wagner Yılmaz',
)

/** City, country and the beginning of its postal codes. */
export const cities: readonly (readonly [city: string, country: string, postcode: string])[] = [
  ['Berlin', 'DE', '10'],
  ['Hamburg', 'DE', '20'],
  ['München', 'DE', '80'],
  ['Wien', 'AT', '1'],
  ['Zürich', 'CH', '80'],
  ['Paris', 'FR', '75'],
  ['Lyon', 'FR', '69'],
  ['Madrid', 'ES', '28'],
  ['Lisboa', 'PT', '11'],
  ['Milano', 'IT', '20'],
  ['Amsterdam', 'NL', '10'],
  ['København', 'DK', '21'],
  ['Stockholm', 'SE', '11'],
  ['Kraków', 'PL', '30'],
  ['Praha', 'CZ', '11'],
]

export const streets = words(
  'Lindenweg Hafenstraße Marktplatz Gartenweg Bergstraße Mühlenweg Rosenallee Kirchgasse Seestraße Waldweg Bahnhofstraße Parkring',
)

export const adjectives = words('Classic Compact Foldable Handmade Light Modern Nordic Quiet Rustic Slim Soft Sturdy')
export const materials = words('Ash Bamboo Ceramic Cork Cotton Felt Glass Linen Oak Steel')

/** Each noun belongs to the leaf category of the same position. */
export const nouns: readonly string[] = words(
  'Chair Table Shelf Lamp Blanket Cushion Teapot Cup Bowl Pan Knife Notebook Pencil Backpack Bottle Tent',
)

/** Categories with their parent; parents come first. */
export const categories: readonly (readonly [name: string, parent: string | null])[] = [
  ['Home', null],
  ['Kitchen', null],
  ['Office', null],
  ['Outdoor', null],
  ['Furniture', 'Home'],
  ['Lighting', 'Home'],
  ['Textiles', 'Home'],
  ['Tableware', 'Kitchen'],
  ['Cookware', 'Kitchen'],
  ['Chairs', 'Furniture'],
  ['Tables', 'Furniture'],
  ['Shelves', 'Furniture'],
  ['Lamps', 'Lighting'],
  ['Blankets', 'Textiles'],
  ['Cushions', 'Textiles'],
  ['Teapots', 'Tableware'],
  ['Cups', 'Tableware'],
  ['Bowls', 'Tableware'],
  ['Pans', 'Cookware'],
  ['Knives', 'Cookware'],
  ['Notebooks', 'Office'],
  ['Pencils', 'Office'],
  ['Backpacks', 'Outdoor'],
  ['Bottles', 'Outdoor'],
  ['Tents', 'Outdoor'],
]

/** The first leaf of `categories`; nouns count from here. */
export const FIRST_LEAF = 9

export const tags = words('new sale bestseller recycled local gift vegan limited')

export const jobs: readonly string[] = ['Buyer', 'Packer', 'Driver', 'Accountant', 'Designer', 'Support agent']

export const opinions: readonly (readonly string[])[] = [
  ['Broke after a week.', 'Not what the picture shows.', 'Arrived late and scratched.'],
  ['Smaller than I expected.', 'Works, but feels cheap.', 'The colour is off.'],
  ['Does what it should.', 'Fine for the price.', 'Good, though the box was damaged.'],
  ['Well made and quickly delivered.', 'Looks better than in the shop.', 'I use it every day.'],
  ['Simply beautiful.', 'The best I have ever had.', 'My whole family wants one.'],
]

export const sentences: readonly string[] = [
  'Every piece is checked by hand before it leaves our workshop.',
  'We ship within two days, and returns are free for a month.',
  'The wood comes from forests within a day of travel.',
  'Repairs cost the material and nothing else.',
  'Our suppliers are small firms that we visit once a year.',
  'What cannot be repaired is taken back and reused.',
]

export const pageTitles: readonly string[] = [
  'About us',
  'Shipping and returns',
  'Our workshop',
  'Care instructions',
  'Gift ideas',
  'Materials',
  'Repairs',
  'Jobs',
]
