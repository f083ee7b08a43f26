/** The words of the screens of leads. */
export const leadWords = {
  resource: 'Lead',
  deleteResource: 'lead',
  plural: 'leads',
  tabs: 'Leads and sales',
  unattributed: 'Unattributed sales',
  noPartner: 'Unattributed',
  gone: 'This lead does not exist, or it belongs to another account.',
  why: 'A lead is a person or company somebody referred. Leads come from links, forms and your own systems, or are added here.',
  whyPartner: 'People you refer appear here, with what becomes of them.',

  counted: 'All but duplicates',

  columns: {
    lead: 'Lead',
    partner: 'Partner',
    status: 'Status',
    sales: 'Sales',
    revenue: 'Revenue',
    commission: 'Commission',
    created: 'Created',
    source: 'Source',
  },

  sources: {
    embed: 'Embed code',
    manual: 'Added by hand',
    api: 'Push data',
    'incoming-webhook': 'Incoming webhook',
    provider: 'Payment provider',
    import: 'Import',
    partner: 'Partner',
  },

  reasons: {
    duplicate: 'Duplicate',
    'existing-customer': 'Existing customer',
    'not-a-fit': 'Not a fit',
    'insufficient-info': 'Insufficient info',
    'out-of-territory': 'Out of territory',
    'too-early': 'Too early',
    'no-response': 'No response',
    spam: 'Spam',
    'self-referral': 'Self-referral',
    other: 'Other',
  },

  form: {
    who: 'One of email, phone or external ID is needed.',
    partnerHelp: 'Earns the commission of new sales. Leave empty for an unattributed lead.',
    partnerElsewhere: 'Change it with Reassign on the page of the lead.',
    known: 'This lead is already here.',
    viewKnown: 'View that lead',
  },

  actions: {
    edit: 'Edit',
    changeStatus: 'Change status',
    reassign: 'Reassign',
    extend: 'Extend protection',
    delete: 'Delete',
    for: 'Actions for {{name}}',
  },

  status: {
    heading: 'Change status',
    chooseReason: 'Choose a reason',
    reopenHelp: 'Why the lead is opened again.',
    noteHelp: 'For your team.',
    sharedHelp: 'The partner can read it.',
    share: 'Share note with partner',
    changed: '{{name}} is now {{status}}',
    byItself: 'The status of this lead follows its sales.',
  },

  reassign: {
    heading: 'Reassign lead',
    explain: 'New sales are credited to the partner you choose. Commissions that are booked stay where they are.',
    explainFirst: 'The sales of this lead are credited to the partner too, at the rates of today.',
    help: 'Leave empty to take the lead from everybody.',
    done: 'Lead reassigned',
  },

  protection: {
    heading: 'Extend protection',
    label: 'Protected Until',
    help: 'Until then nobody else can register this lead.',
    notPast: 'Choose a day after today',
    protected: 'Protected until {{date}}',
    endless: 'Protected without end',
    ended: 'Protection ended {{date}}',
    done: 'Protection extended',
  },

  hasSales_one: 'This lead has {{count, number}} sale and cannot be deleted: its commission would lose its source.',
  hasSales_other:
    'This lead has {{count, number}} sales and cannot be deleted: their commissions would lose their source.',

  stats: {
    last: 'last {{date}}',
    none: 'none yet',
    refunded: 'after {{amount}} refunded',
    partners_one: '{{count, number}} partner',
    partners_other: '{{count, number}} partners',
    yours: 'yours',
    ofRevenue: '{{rate}} of revenue',
  },

  chart: 'Revenue, share and profit',
  chartPartner: 'Revenue and share',

  whyThisPartner: 'Why this partner',
  facts: {
    partner: 'Partner',
    matchedBy: 'Matched by',
    model: 'Model',
    link: 'Link',
    source: 'Source',
    landing: 'Landed on',
    referrer: 'Came from',
    registered: 'Registered',
  },
  matchedBy: { click: 'Click', code: 'Referral code', coupon: 'Coupon', manual: 'By hand', email: 'Email' },
  models: { 'last-touch': 'Last touch', 'first-touch': 'First touch' },

  metadata: 'Metadata',
  note: 'Note for the partner',
  notePartner: 'Note for you',

  timeline: {
    heading: 'Timeline',
    empty: 'What happens to this lead appears here.',
    by: '{{actor}} · {{when}}',
    note: 'Note',
    more: 'Show earlier',
  },

  duplicate: {
    heading: 'Registered twice',
    registration: 'Registration',
    first: 'First',
    second: 'This one',
    why: 'The first registration counts. This one earns nothing unless you give the lead to {{partner}}.',
    whyPartner: 'Already registered. Somebody else registered this lead before you did.',
    give: 'Give lead to {{partner}}',
  },
} as const

/** The words of the screens of sales. */
export const saleWords = {
  resource: 'Sale',
  plural: 'sales',
  heading: 'Sales',
  hint: 'Commission per layer, at the rate of the day of sale',
  none: 'Sales appear here as they are recorded by hand, by your payment provider or by your own systems.',
  nonePartner: 'Sales of this lead appear here.',
  unattributedNone: 'Every sale has a partner. Payments that match no lead would be listed here.',
  named: 'sale of {{amount}} on {{date}}',
  namedPlain: 'sale on {{date}}',
  more: 'Show more sales',

  columns: {
    saleDate: 'Sale date',
    status: 'Status',
    amount: 'Amount',
    layer: 'Layer',
    rate: 'Rate',
    commission: 'Commission',
    state: 'State',
    lead: 'Lead',
    provider: 'Came from',
    externalId: 'External ID',
    attribute: 'Attribute',
  },

  providers: { manual: 'Added by hand', api: 'Push data', 'incoming-webhook': 'Incoming webhook', import: 'Import' },

  addedBy: {
    provider: 'added by {{provider}}',
    manual: 'added by hand',
    api: 'pushed by your systems',
    'incoming-webhook': 'added by an incoming webhook',
    import: 'imported',
  },

  actions: {
    refund: 'Refund',
    void: 'Void',
    release: 'Release',
    rate: 'Enter exchange rate',
    attribute: 'Attribute',
  },

  layer: '{{number}} · ',
  noCommission: 'No commission',
  noLead: 'No lead',
  converted: '{{amount}} at {{rate}}',
  waits: 'Waits for the exchange rate of {{currency}} on {{date}}. Until then nothing is credited.',
  held: 'On hold: the customer looks like the partner. Ends by itself after 30 days.',
  heldPartner: 'On hold while it is under review.',
  disputed: 'On hold while the payment is disputed.',

  refund: {
    heading: 'Refund sale',
    explain: 'Every layer gives back its share of the commission.',
    amount: 'Refund Amount',
    left: 'Up to {{amount}} is left, tax included.',
    tooMuch: 'Only {{amount}} is left to refund',
    submit: 'Refund',
    done: 'Refund of {{amount}} recorded',
  },

  void: {
    heading: 'Void sale',
    explain:
      'For a sale entered by mistake. {{amount}} and its {{commission}} of commission are taken back, as if it had never been.',
    explainPlain: 'For a sale entered by mistake. It is taken back with its commission, as if it had never been.',
    submit: 'Void',
    done: 'Sale voided',
  },

  release: {
    heading: 'Release sale',
    explain: 'Ends the hold. {{commission}} of commission is paid as if there had been none.',
    submit: 'Release',
    done: 'Sale released',
  },

  rate: {
    heading: 'Enter exchange rate',
    label: 'Exchange Rate',
    help: 'What 1 {{from}} was worth in {{to}} on {{date}}. Every sale that waits for it is booked.',
    makes: 'This sale becomes {{amount}}.',
    submit: 'Enter exchange rate',
    done: 'Exchange rate entered',
  },

  attribute: {
    heading: 'Attribute sale',
    either: 'Choose a partner or a lead',
    explain: '{{amount}} on {{date}} is credited at the rates of today.',
    partner: 'Partner',
    lead: 'Lead',
    partnerHelp: "The payer's lead is found or made, and given to this partner.",
    leadHelp: 'Only a lead that has a partner.',
    submit: 'Attribute',
    done: 'Sale attributed',
  },

  new: {
    saleDate: 'Sale Date',
    description: 'Description',
    amountHelp: 'Net of tax and shipping.',
    looksKnown: 'This looks like a sale you already have',
    known: '{{amount}} on {{date}}, {{how}}.',
    viewKnown: 'View that sale',
    different: 'This is a different sale',
    confirmDifferent: 'Check that this is a different sale',
    taken: 'This external ID belongs to the sale of {{amount}} on {{date}}.',
  },

  split: {
    heading: 'How this sale splits',
    live: 'Updates as you type',
    hint: 'Enter an amount to see who earns what.',
    keep: 'You keep',
    sale: 'Sale',
    payableOn: 'Payable on {{date}}',
    days_one: '{{count}} day after the sale, if it is not refunded or disputed.',
    days_other: '{{count}} days after the sale, if it is not refunded or disputed.',
    daysNone: 'On the day of the sale, if it is not refunded or disputed.',
    nobody: 'Nobody earns a commission on this sale: the lead has no partner, or the rates are zero.',
    noRate:
      'There is no exchange rate for {{currency}} on this day. The sale is kept; commissions wait until you enter the rate.',
    bar: 'Parts of the sale: {{parts}}',
    layer: 'Layer {{number}}',
    failed: 'The split cannot be shown.',
  },
} as const
