/** A partner of Harbor Analytics in the demo. Days count back from today. */
export type Person = {
  code: string
  firstName: string
  lastName: string
  email: string
  /** Code of the parent partner. */
  under?: string
  /** Share of referrals, relative to the others; 0: only the scripted leads. */
  weight: number
  joined: number
  layerRates?: number[]
  /** Amount for a customer's first payment of the Starter plan; other sales as by `layerRates`. */
  firstStarter?: number
  /** The most that is earned from one customer. */
  maxPerCustomer?: number
  /** Moved to the group of agencies. */
  agency?: true
  /** Undefined: accepted the day after. */
  invitation?: 'sent' | 'bounced' | 'expired' | 'revoked'
  /** `never`: her tax form is missing, so she is not approved for this year. */
  approval?: 'never'
  /** `never`: no payout details. */
  details?: 'never'
  suspended?: { days: number; reason: string }
  archived?: { days: number; reason: string }
}

type More = Omit<Partial<Person>, 'code' | 'firstName' | 'lastName' | 'email' | 'weight' | 'joined'>
const person = (code: string, name: string, email: string, weight: number, joined: number, more: More = {}): Person => {
  const [firstName = '', ...rest] = name.split(' ')
  return { code, firstName, lastName: rest.join(' '), email, weight, joined, ...more }
}

/** Parents come before their sub-partners. */
export const people: readonly Person[] = [
  person('sofia', 'Sofia Lindqvist', 'sofia@lindqvist.example', 24, 371),
  person('marcus-o', 'Marcus Oyelaran', 'marcus@oyelaran.example', 54, 371),
  person('priya', 'Priya Raman', 'priya@ramanconsulting.example', 47, 371, {
    layerRates: [20, 5],
    firstStarter: 75_00,
    maxPerCustomer: 500_00,
  }),
  person('tomas', 'Tomás Herrera', 'tomas@herrera.example', 39, 371),
  person('lena-fischer', 'Lena Fischer', 'lena@fischerdigital.example', 33, 371),
  person('hugo', 'Hugo Marchetti', 'hugo@marchetti.example', 14, 371),
  person('ines', 'Inês Carvalho', 'ines@carvalho.example', 13, 371),
  person('nadia', 'Nadia Haddad', 'nadia@cobalt.example', 9, 371),
  person('dkim', 'Daniel Kim', 'daniel@kimadvisory.example', 21, 371, {
    suspended: { days: 20, reason: 'Bids on our brand name in search ads. Waiting for an answer.' },
  }),
  person('ruth', 'Ruth Adeyemi', 'ruth@adeyemi.example', 9, 371),
  person('oliver', 'Oliver Grant', 'oliver@grantpartners.example', 8, 371, { agency: true }),
  person('camille', 'Camille Laurent', 'camille@laurent.example', 8, 371, { layerRates: [25] }),
  person('victoria', 'Victoria Stein', 'victoria@stein.example', 6, 371, {
    archived: { days: 60, reason: 'Left the programme in good standing.' },
  }),
  person('samuel', 'Samuel Okafor', 'samuel@okafor.example', 7, 371),

  person('jane', 'Jane Whitfield', 'jane@whitfield.example', 59, 371, { under: 'sofia' }),
  person('aisha', 'Aisha Bello', 'aisha@bello.example', 26, 371, { under: 'marcus-o', details: 'never' }),
  person('mei', 'Mei Tanaka', 'mei@tanaka.example', 19, 371, { under: 'priya' }),
  person('grace', 'Grace O’Neill', 'grace@oneill.example', 17, 371, { under: 'priya' }),
  person('elif', 'Elif Demir', 'elif@demir.example', 9, 350, { under: 'marcus-o' }),
  person('peter', 'Peter Novák', 'peter@novak.example', 8, 343, { under: 'priya', layerRates: [25, 5] }),
  person('kwame', 'Kwame Mensah', 'kwame@mensah.example', 7, 330, { under: 'sofia' }),
  person('amelia', 'Amelia Brooks', 'amelia@brooks.example', 6, 308, { under: 'lena-fischer', agency: true }),
  person('yuki', 'Yuki Sato', 'yuki@sato.example', 5, 286, { under: 'hugo', agency: true }),
  person('mateo', 'Mateo Rossi', 'mateo@rossi.example', 5, 260, { under: 'hugo' }),
  person('freya', 'Freya Nilsen', 'freya@nilsen.example', 4, 228, { under: 'sofia', details: 'never' }),
  person('omar', 'Omar Farouk', 'omar@farouk.example', 4, 190, { under: 'ines' }),
  person('theo', 'Theo Nyström', 'theo@nystrom.example', 0, 70, { under: 'nadia' }),

  person('bella', 'Bella Rossi', 'bella@bellarossi.example', 6, 305, { under: 'jane' }),
  person('liam', 'Liam Doyle', 'liam@doyle.example', 5, 279, { under: 'jane' }),
  person('zara', 'Zara Khan', 'zara@khan.example', 8, 88, { under: 'jane', approval: 'never' }),
  person('felix', 'Felix Braun', 'felix@braun.example', 3, 158, { under: 'jane', details: 'never' }),
  person('chloe', 'Chloé Martin', 'chloe@martin.example', 4, 202, { under: 'mei' }),
  person('arjun', 'Arjun Patel', 'arjun@patel.example', 4, 167, { under: 'grace' }),
  person('dana', 'Dana Levi', 'dana@levi.example', 3, 96, { under: 'elif' }),
  person('mira', 'Mira Jansson', 'mira@jansson.example', 0, 148, { under: 'sofia' }),
  person('kofi', 'Kofi Asante', 'kofi@asante.example', 0, 117),
  person('lucia', 'Lucía Romero', 'lucia@romero.example', 0, 52, { under: 'marcus-o' }),
  person('ben', 'Ben Adler', 'ben@adler.example', 0, 34, { under: 'jane' }),

  person('owen', 'Owen Clarke', 'owen@clarke.example', 0, 2, { invitation: 'sent' }),
  person('noah-b', 'Noah Bennett', 'noah@benett.example', 0, 3, { invitation: 'bounced', under: 'marcus-o' }),
  person('ivy', 'Ivy Sullivan', 'ivy@sullivan.example', 0, 31, { invitation: 'expired', under: 'tomas' }),
  person('gus', 'Gus Peterson', 'gus@peterson.example', 0, 44, { invitation: 'revoked' }),
]

/** Names of which customers and their companies are composed. */
export const firstNames =
  'Hannah,Ethan,Maya,Lucas,Nora,Caleb,Iris,Julian,Leah,Adrian,Tessa,Rohan,Clara,Dominic,Esme,Gavin,Helen,Isaac,June,Kai,Laura,Miles,Naomi,Oscar,Paula,Quinn,Renata,Simon,Thea,Uma,Vincent,Willa,Xavier,Yara,Zoe,Anders,Bianca,Carlos,Delia,Emil'.split(
    ',',
  )
export const lastNames =
  'Cole,Okafor,Reyes,Berg,Novak,Ellis,Marsh,Tran,Fischer,Hale,Iyer,Jansen,Kline,Lowe,Moreau,Nash,Ortega,Pratt,Quist,Rhodes,Silva,Tate,Ueda,Vance,Walsh,York,Zeller,Abbott,Barrow,Crane,Dunn,Emery,Frost,Grady,Holt,Ingram,Joyce,Keller,Lindon,Mercer'.split(
    ',',
  )
const firstWords =
  'Summit,Kestrel,Alder,Moss,Fable,Harvest,Lantern,Copper,Juniper,Cedar,Willow,Granite,Orchard,Beacon,Saffron,Maple,Quarry,Tidewater,Prairie,Bluebird,Foxglove,Ironwood,Larkspur,Meridian,Northgate,Oakline,Pinecrest,Redwood,Silverton,Stonebridge'.split(
    ',',
  )
const secondWords =
  'Dental,Cycles,Freight,Yoga,Ceramics,Logistics,Studio,Bakery,Legal,Analytics,Clinic,Roasters,Interiors,Fitness,Robotics,Travel,Press,Farms,Media,Supply'.split(
    ',',
  )

/** Six hundred companies, each with its own domain. */
export const companies = firstWords.flatMap((first) =>
  secondWords.map((second) => ({
    name: `${first} ${second}`,
    domain: `${first}${second}`.toLowerCase().concat('.example'),
  })),
)
