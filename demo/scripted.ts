/** A sale of the script; amounts in cents. Days count back from today, fractions are hours. */
export type ScriptedSale = {
  days: number
  amount: number
  description: string
  /** Stripe by default. */
  by?: 'hand' | 'api'
  currency?: string
  /** The price it is for, if it is one. */
  price?: string
  /** The things it is for, if there are several. */
  lines?: { name: string; price: string; amount: number }[]
  /** `line`: the id of the line that is given back. */
  refunds?: { days: number; amount: number; line?: string; failed?: number }[]
  dispute?: { days: number; reason: string; end?: { status: 'won' | 'lost'; days: number } }
}

export type ScriptedLead = {
  partner: string
  name: string
  company: string
  email: string
  phone?: string
  days: number
  qualified?: { days: number; note: string }
  closed?: { days: number; status: 'lost' | 'rejected'; reason: 'too-early' | 'out-of-territory' }
  /** The owner enters the sale twice and voids one. */
  mistake?: true
  /** Days before today on which the person was erased, as they asked. */
  erased?: number
  sales: ScriptedSale[]
}

/** A seat of the annual plan. */
const SEAT = 296_00
const annual = (days: number, amount = 1480_00): ScriptedSale => ({
  days,
  amount,
  description: `Annual plan, ${amount / SEAT} seats`,
  price: 'team_annual',
})

/** Customers of every demo, whatever its size: they cover every state. */
export const scriptedLeads: readonly ScriptedLead[] = [
  {
    partner: 'jane',
    name: 'Hannah Cole',
    company: 'Brightline Dental',
    email: 'hannah@brightline.example',
    phone: '+1 415 555 0142',
    days: 92,
    qualified: { days: 90, note: 'Demo held, wants 5 seats.' },
    sales: [
      { days: 73, amount: 1200_00, description: 'Team plan, first month' },
      {
        days: 43,
        amount: 1600_00,
        description: 'Team plan, second month',
        refunds: [{ days: 18, amount: 400_00 }],
      },
      annual(0.4),
    ],
  },
  {
    partner: 'marcus-o',
    name: 'Chidi Okafor',
    company: 'Okafor & Sons',
    email: 'chidi@okaforsons.example',
    days: 30,
    qualified: { days: 27, note: 'Called back, decides this month.' },
    mistake: true,
    sales: [{ days: 1.4, amount: 640_00, description: 'Onboarding package', by: 'api' }],
  },
  {
    partner: 'marcus-o',
    name: 'Irene Castell',
    company: 'Castell Vineyards',
    email: 'irene@castell.example',
    days: 4,
    sales: [],
  },
  {
    partner: 'priya',
    name: 'Dev Anand',
    company: 'Anand Textiles',
    email: 'dev@anandtextiles.example',
    days: 11,
    qualified: { days: 10, note: 'Trial started.' },
    sales: [],
  },
  {
    partner: 'tomas',
    name: 'Carla Ruiz',
    company: 'Ruiz Hermanos',
    email: 'carla@ruizhermanos.example',
    days: 37,
    closed: { days: 31, status: 'lost', reason: 'too-early' },
    sales: [],
  },
  {
    partner: 'lena-fischer',
    name: 'Yusuf Aydin',
    company: 'Aydin Lojistik',
    email: 'yusuf@aydin.example',
    days: 33,
    closed: { days: 32, status: 'rejected', reason: 'out-of-territory' },
    sales: [],
  },
  {
    partner: 'jane',
    name: 'Peggy Larsen',
    company: 'Larsen Boats',
    email: 'peggy@larsenboats.example',
    days: 124,
    sales: [],
  },
  // registered by another partner before
  {
    partner: 'tomas',
    name: 'Chidi Okafor',
    company: 'Okafor & Sons',
    email: 'chidi@okaforsons.example',
    days: 26,
    sales: [],
  },
  {
    partner: 'tomas',
    name: 'Willa Alder',
    company: 'Alder Street Yoga',
    email: 'willa@alderyoga.example',
    days: 21,
    sales: [{ days: 3.3, amount: 320_00, description: 'Starter plan', dispute: { days: 1.2, reason: 'fraudulent' } }],
  },
  {
    partner: 'priya',
    name: 'Rafael Summit',
    company: 'Summit Cycle Works',
    email: 'rafael@summitcycles.example',
    days: 40,
    sales: [
      { days: 12, amount: 2150_00, description: 'Growth plan', refunds: [{ days: 1.1, amount: 50_00 }] },
      { days: 34, amount: 480_00, description: 'Growth plan, trial month', refunds: [{ days: 29, amount: 480_00 }] },
    ],
  },
  {
    partner: 'lena-fischer',
    name: 'Jonas Weber',
    company: 'Weber Maschinenbau',
    email: 'jonas@webermb.example',
    days: 66,
    sales: [{ days: 50, amount: 990_00, description: 'Jahresplan', currency: 'eur', by: 'hand' }, annual(44)],
  },
  {
    partner: 'marcus-o',
    name: 'Layla Al Suwaidi',
    company: 'Gulf Horizon Trading',
    email: 'layla@gulfhorizon.example',
    days: 15,
    sales: [{ days: 5, amount: 5400_00, description: 'Annual plan', currency: 'aed' }],
  },
  {
    partner: 'mei',
    name: 'Kenji Mori',
    company: 'Mori Ceramics',
    email: 'kenji@moriceramics.example',
    days: 120,
    sales: [
      {
        days: 101,
        amount: 890_00,
        description: 'Team plan',
        dispute: { days: 96, reason: 'product_not_received', end: { status: 'lost', days: 82 } },
      },
      annual(47, 1776_00),
    ],
  },
  {
    partner: 'camille',
    name: 'Luc Bernard',
    company: 'Atelier Bernard',
    email: 'luc@atelierbernard.example',
    days: 110,
    sales: [
      {
        days: 84,
        amount: 720_00,
        description: 'Team plan',
        dispute: { days: 79, reason: 'duplicate', end: { status: 'won', days: 61 } },
      },
      annual(47),
    ],
  },
  {
    partner: 'sofia',
    name: 'Astrid Holm',
    company: 'Holm Interiors',
    email: 'astrid@holminteriors.example',
    days: 88,
    sales: [
      {
        days: 60,
        amount: 4800_00,
        description: 'Enterprise plan, one year',
        refunds: [{ days: 0.8, amount: 4800_00 }],
      },
    ],
  },
  {
    partner: 'grace',
    name: 'Conor Walsh',
    company: 'Walsh Brewing',
    email: 'conor@walshbrewing.example',
    days: 75,
    sales: [
      {
        days: 55,
        amount: 640_00,
        description: 'Onboarding package',
        refunds: [{ days: 49, amount: 640_00, failed: 46 }],
      },
      annual(36),
    ],
  },
  {
    partner: 'kwame',
    name: 'Kwame Mensah',
    company: 'Mensah Consulting',
    email: 'kwame@mensah.example',
    days: 14,
    sales: [{ days: 9, amount: 1490_00, description: 'Annual plan' }],
  },
  {
    partner: 'theo',
    name: 'Ines Falk',
    company: 'Falk Books',
    email: 'ines@falkbooks.example',
    days: 58,
    erased: 9,
    sales: [{ days: 42, amount: 240_00, description: 'Team plan', price: 'team_monthly' }],
  },
  // paid for when it was qualified, and again for the sale
  {
    partner: 'oliver',
    name: 'Freddie Lane',
    company: 'Lane Joinery',
    email: 'freddie@lanejoinery.example',
    days: 58,
    qualified: { days: 55, note: 'Wants it for three workshops.' },
    sales: [annual(42)],
  },
  // the second payment reaches the most that Priya earns from a customer
  {
    partner: 'priya',
    name: 'Dev Malhotra',
    company: 'Malhotra Steel',
    email: 'dev@malhotrasteel.example',
    days: 27,
    sales: [{ days: 20, amount: 640_00, description: 'Onboarding package', price: 'onboarding' }, annual(6, 5328_00)],
  },
  // enough for the bonus of its month until a part of it is given back
  {
    partner: 'mira',
    name: 'Aksel Dahlberg',
    company: 'Dahlberg Clinics',
    email: 'aksel@dahlbergclinics.example',
    days: 45,
    sales: [
      {
        days: 34,
        amount: 5720_00,
        description: 'Annual plan and onboarding',
        by: 'hand',
        lines: [
          { name: 'Annual plan, 15 seats', price: 'team_annual', amount: 4440_00 },
          { name: 'Onboarding package, two clinics', price: 'onboarding', amount: 1280_00 },
        ],
        refunds: [{ days: 21, amount: 1280_00, line: '2' }],
      },
    ],
  },
  ...(
    [
      ['hugo', 'Paolo Conti', 'Conti Marble', 5328_00],
      ['ines', 'Rita Sousa', 'Sousa Ceramics', 3552_00],
      ['ruth', 'Femi Balogun', 'Balogun Textiles', 1480_00],
      ['samuel', 'Ngozi Eze', 'Eze Pharmacy', 1480_00],
      ['elif', 'Cem Kaya', 'Kaya Glass', 1480_00],
      ['peter', 'Jana Dvořák', 'Dvorak Optics', 1480_00],
      ['aisha', 'Bola Ige', 'Ige Catering', 3256_00],
      ['dkim', 'Sora Han', 'Han Robotics', 2072_00],
      ['zara', 'Ada Kestrel', 'Kestrel Air Freight', 888_00],
      ['tomas', 'Luis Vega', 'Vega Solar', 1480_00],
      // enough in 90 days for Gold
      ['mira', 'Vesa Korhonen', 'Korhonen Boatyard', 5920_00, 78],
      ['mira', 'Ingrid Solberg', 'Solberg Timber', 4440_00, 66],
      // won recently, so that the business grows
      ['mira', 'Greta Lindholm', 'Lindholm Furniture', 4736_00, 2],
      ['marcus-o', 'Tunde Bakare', 'Bakare Foods', 2960_00, 3],
      ['kofi', 'Ama Owusu', 'Owusu Fabrics', 2368_00, 5],
      ['lucia', 'Pablo Iglesias', 'Iglesias Wines', 2960_00, 8],
      ['jane', 'Carol Whitcombe', 'Whitcombe Labs', 4440_00, 10],
      ['sofia', 'Erik Dahl', 'Dahl Shipping', 3552_00, 11],
      ['ben', 'Noa Peretz', 'Peretz Studio', 1480_00, 13],
      ['tomas', 'Marta Ruiz', 'Ruiz Logistics', 4440_00, 15],
      ['lena-fischer', 'Jonas Krug', 'Krug Optik', 2960_00, 17],
    ] as const
  ).map(([partner, name, company, amount, days = 42]): ScriptedLead => {
    const domain = company.toLowerCase().replace(/[^a-z]/g, '')
    const email = `${name.split(' ')[0]!.toLowerCase()}@${domain}.example`
    return { partner, name, company, email, days: days + 16, sales: [annual(days, amount)] }
  }),
]
