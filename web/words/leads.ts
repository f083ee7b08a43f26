import { formatNumber, formatPlural, toClause, type Word } from '#contract/format.ts'
import { defineWords, withTeamWords } from '#contract/words.ts'
import { leadReasons } from './lead-reasons.ts'

/** The words of the screens of leads. */
const partnersLeadWords = defineWords('lead', 'partner', {
  more: 'More',
  pay: 'Commission for the lead',
  paidTo: ({ title, partner }: { title: Word; partner: Word }) => `${title}: ${partner}`,
  deleteResource: 'lead',
  plural: 'leads',
  previous: 'Previous lead',
  next: 'Next lead',
  noPartner: 'Unattributed',
  gone: 'This lead doesn’t exist, or it belongs to another account.',
  why: 'A lead is a person or company a partner referred. Leads come from links, forms and your own systems, or you can add them here.',
  whyPartner: 'People you refer appear here, along with their status.',

  counted: 'All except duplicates',
  unanswered: 'Unanswered',
  late: ({ hours }: { hours: Word }) => `No response in ${hours} hours`,

  sources: {
    embed: 'Embed code',
    manual: 'Added manually',
    api: 'Push data',
    'incoming-webhook': 'Incoming webhook',
    provider: 'Payment provider',
    import: 'Import',
    partner: 'Partner',
  },

  reasons: leadReasons,

  protection: {
    heading: 'Extend protection',
    help: 'No one else can register this lead until then.',
    notPast: 'Choose a future date',
    protected: ({ date }: { date: Word }) => `Protected until ${date}`,
    endless: 'Protected indefinitely',
    ended: ({ date }: { date: Word }) => `Protection ended ${date}`,
    customer: ({ date }: { date: Word }) => `Customer since ${date}`,
    customerOf: ({ partner, date }: { partner: Word; date: Word }) => `Customer of ${partner} since ${date}`,
    done: 'Protection extended',
  },

  similar: {
    domain: ({ count, value }: { count: number; value: Word }) =>
      formatPlural(
        count,
        `${formatNumber(count)} other lead uses ${value}:`,
        `${formatNumber(count)} other leads use ${value}:`,
      ),
    company: ({ count, value }: { count: number; value: Word }) =>
      formatPlural(
        count,
        `${formatNumber(count)} other lead is from ${value}:`,
        `${formatNumber(count)} other leads are from ${value}:`,
      ),
  },

  submit: {
    who: 'Enter an email or a phone number.',
    noteHelp: 'Anything that helps win this lead. Visible to the account owner.',
    new: 'New lead',
    newSince: ({ date }: { date: Word }) => `You registered this lead on ${date}.`,
    yours: 'Already registered by you',
    yoursSince: ({ date }: { date: Word }) => `You registered this lead on ${date}.`,
    taken: 'Already registered',
    takenWhy: ({ date }: { date: Word }) =>
      `Someone else registered this lead before you. Your registration of ${date} is kept.`,
    view: 'View lead',
    another: 'Add another',
  },

  stats: {
    last: ({ date }: { date: Word }) => `last ${date}`,
    none: 'none yet',
    refunded: ({ amount }: { amount: Word }) => `after ${amount} in refunds`,
    partners: ({ count }: { count: number }) =>
      formatPlural(count, `${formatNumber(count)} partner`, `${formatNumber(count)} partners`),
    ofRevenue: ({ rate }: { rate: Word }) => `${rate} of revenue`,
  },

  chart: 'Revenue, share and profit',

  whyThisPartner: 'Why this partner',
  registration: 'Registration',
  facts: {
    registeredBy: 'Registered by',
    matchedBy: 'Matched by',
    model: 'Attribution',
    ownLink: 'Partner’s link',
    landing: 'Landing page',
    referrer: 'Referrer',
    registered: 'Registered',
  },
  matchedBy: { click: 'Click', code: 'Referral code', coupon: 'Coupon', manual: 'Manual', email: 'Email' },
  models: { 'last-touch': 'Last touch', 'first-touch': 'First touch' },

  metadata: 'Metadata',
  note: 'Note for the partner',
  notePartner: 'Note for you',

  timeline: {
    heading: 'Timeline',
    empty: 'Activity on this lead appears here.',
    by: ({ actor, when }: { actor: Word; when: Word }) => `${actor} · ${when}`,
    more: 'Show earlier',
  },

  sent: {
    heading: 'Raw submissions',
    show: 'Show',
    hide: 'Hide',
    label: ({ number: place, source, at }: { number: number; source: Word; at: Word }) =>
      `${formatNumber(place)}. ${source}, ${at}`,
    cut: ({ text }: { text: Word }) => `${text}… (too long to show in full)`,
  },

  closed: {
    lost: 'This lead was marked as lost.',
    rejected: 'This lead was rejected.',
    noReason: 'No reason was shared.',
  },

  selfReferral: {
    flag: 'Self-referral: flagged',
    hold: 'Self-referral: on hold',
    refuse: 'Self-referral: commission refused',
  },

  fraud: {
    flag: 'A sale from this lead is flagged as a self-referral.',
    hold: 'A sale from this lead looks like a self-referral. Its commission is on hold.',
    refuse: 'A sale from this lead earned no commission because it’s a self-referral.',
  },

  noReward: {
    'self-referral': 'No reward: self-referral.',
    'paid-before': 'No reward: paid before they were referred.',
    refunded: 'No reward: refunded.',
  },

  duplicate: {
    heading: 'Registered twice',
    registration: 'Registration',
    first: 'First',
    second: 'Later',
    side: ({ which, partner }: { which: Word; partner: Word }) => `${which}: ${partner}`,
    headingBy: ({ partner }: { partner: Word }) => `Also registered by ${partner}`,
    why: ({ partner }: { partner: Word }) =>
      `The first registration counts. The later one earns nothing unless you give the lead to ${partner}.`,
    has: ({ partner }: { partner: Word }) => `Credited to ${partner}.`,
    whyPartner: 'Already registered. Someone else registered this lead before you.',
    give: ({ partner }: { partner: Word }) => `Give to ${partner}`,
    given: ({ partner }: { partner: Word }) => `Lead given to ${partner}`,
    reason: ({ partner }: { partner: Word }) => `Given to ${partner}, who registered it later`,
    byMistake: ({ partner }: { partner: Word }) => `Given to ${partner} by mistake`,
  },
})

export const leadWords = withTeamWords(partnersLeadWords, {
  now: {
    heading: 'Where this lead stands',
    held: ({ amount }: { amount: Word }) => `Commission held ${amount}`,
    until: ({ date }: { date: Word }) => `until ${date}`,
    due: ({ amount }: { amount: Word }) => `Commission due ${amount}`,
    onHold: ({ amount }: { amount: Word }) => `Commission on hold ${amount}`,
    inPayout: ({ amount }: { amount: Word }) => `Commission in payout ${amount}`,
    unanswered: ({ date }: { date: Word }) => `No response since ${date}`,
    answer: 'Change status',
    unattributed: 'No partner is credited',
    assign: 'Assign partner',
    saleOnHold: ({ count }: { count: number }) =>
      formatPlural(count, `${formatNumber(count)} sale is on hold`, `${formatNumber(count)} sales are on hold`),
    show: 'Show',
  },

  form: {
    who: 'Enter an email, phone or external ID.',
    partnerHelp: 'Earns commission on new sales. Leave empty for an unattributed lead.',
    partnerElsewhere: 'To change the partner, use Reassign on the lead’s page.',
    known: 'This lead already exists.',
    viewKnown: 'View existing lead',
  },

  actions: {
    edit: 'Edit',
    changeStatus: 'Change status',
    addNote: 'Add note',
    reassign: 'Reassign',
    extend: 'Extend protection',
    delete: 'Delete',
  },

  status: {
    heading: 'Change status',
    chooseReason: 'Choose a reason',
    reopenHelp: 'Why are you reopening this lead?',
    noteHelp: 'For your team.',
    sharedHelp: 'The partner can see this.',
    share: 'Share note with partner',
    changed: ({ name, status }: { name: Word; status: Word }) => `${name} is now ${status}`,
    byMistake: ({ status }: { status: Word }) => `Set to ${status} by mistake`,
    byItself: 'This lead’s status is set automatically from its sales.',
  },

  addNote: {
    help: 'Only your team sees it, in the timeline.',
    sharedHelp: 'The partner sees it in the timeline too.',
    done: 'Note added',
  },

  reassign: {
    heading: 'Reassign lead',
    explain:
      'New sales are credited to the partner you choose. Commissions already earned stay with the current partner.',
    help: 'Leave empty to unassign the lead.',
    done: 'Lead reassigned',
  },

  bulk: {
    status: ({ count }: { count: number }) =>
      formatPlural(
        count,
        `Change the status of ${formatNumber(count)} lead`,
        `Change the status of ${formatNumber(count)} leads`,
      ),
    noneMoves: 'The statuses of all selected leads are set automatically',
    reassign: ({ count }: { count: number }) =>
      formatPlural(count, `Reassign ${formatNumber(count)} lead`, `Reassign ${formatNumber(count)} leads`),
    reassignWhy:
      'New sales are credited to the partner you choose. Commissions already earned stay with the current partners.',
    reassignHelp: 'Leave empty to unassign the leads.',
    creditEarlierHelp: 'Past sales without a partner earn at today’s rates.',
    note: ({ count }: { count: number }) =>
      formatPlural(count, `Add a note to ${formatNumber(count)} lead`, `Add a note to ${formatNumber(count)} leads`),
  },

  hasSales: ({ count }: { count: number }) =>
    formatPlural(
      count,
      `This lead has ${formatNumber(count)} sale and can’t be deleted: its commission depends on it.`,
      `This lead has ${formatNumber(count)} sales and can’t be deleted: their commissions depend on it.`,
    ),
})

/** The words of the screens of sales. */
const partnersSaleWords = defineWords('sale', 'partner', {
  plural: 'sales',
  none: 'Sales appear here as you, your payment provider or your own systems record them.',
  nonePartner: 'Sales from this lead appear here.',
  named: ({ amount, date }: { amount: Word; date: Word }) => `${amount} sale on ${date}`,
  namedPlain: ({ date }: { date: Word }) => `sale on ${date}`,
  more: 'Show more sales',

  columns: {
    payer: 'Payer',
    likely: 'Likely partner',
    act: 'Action',
    dateRange: 'Date range',
  },

  kinds: { sale: 'Sale', refund: 'Refund', dispute: 'Dispute', restoration: 'Restored', void: 'Void', lead: 'Lead' },
  onHold: 'On hold',
  lines: ({ count }: { count: number }) =>
    formatPlural(count, `${formatNumber(count)} line in total`, `${formatNumber(count)} lines in total`),
  linesAndSales: ({ count, sales }: { count: number; sales: Word }) =>
    formatPlural(count, `${formatNumber(count)} line, no sale`, `${formatNumber(count)} lines, ${sales} of them sales`),
  lineNamed: ({ kind, lead, amount, date }: { kind: Word; lead: Word; amount: Word; date: Word }) =>
    `${kind} for ${lead}: ${amount} on ${date}`,
  notLoaded: 'We couldn’t load the sale. Try again.',
  lineOf: ({ name, quantity }: { name: Word; quantity: Word }) => `${name} × ${quantity}`,
  unnamedLine: 'Other',

  providers: { manual: 'Added manually', api: 'Push data', 'incoming-webhook': 'Incoming webhook', import: 'Import' },

  addedBy: {
    provider: ({ provider }: { provider: Word }) => `added by ${provider}`,
    manual: 'added manually',
    api: 'sent by your systems',
    'incoming-webhook': 'added by an incoming webhook',
    import: 'imported',
  },

  actions: {
    refund: 'Refund',
    void: 'Void',
    restore: 'Restore',
    release: 'Release',
    rate: 'Enter exchange rate',
    attribute: 'Attribute',
    describe: 'Edit description',
    why: 'Why',
    refundAt: ({ provider }: { provider: Word }) => `Refund in ${provider}`,
  },

  openIn: ({ provider }: { provider: Word }) => `Open in ${provider}`,
  openPayment: 'Open payment',

  matched: {
    click: 'Matched by click',
    code: 'Matched by referral code',
    'lead-id': 'Matched by lead ID',
    customer: 'Matched by customer',
    'external-id': 'Matched by external ID',
    coupon: 'Matched by promotion code',
    email: 'Matched by email',
    manual: 'Credited manually',
    none: 'No match',
  },
  codes: ({ codes }: { codes: Word }) => `Code ${codes}`,
  rules: {
    click: 'Click',
    code: 'Referral code',
    'lead-id': 'Lead ID',
    customer: 'Customer',
    'external-id': 'External ID',
    coupon: 'Promotion code',
    email: 'Email',
    manual: 'Manual',
  },
  match: {
    heading: 'Why this partner',
    headingNone: 'Why this sale wasn’t credited',
    named: 'Other partners',
    others: 'Rules checked first',
    nextTime: 'How to get sales like this credited',
    send: ({ where }: { where: Word }) =>
      `Pass the visitor’s click ID or referral code along with the payment: ${where}.`,
    orCode: 'Or add the buyer’s promotion code on the partner’s page.',
    where: {
      stripe: 'in the Checkout Session’s client_reference_id, or in metadata as click_id or referral_code',
      paddle: 'in custom_data, as click_id or referral_code',
      paypal: 'in custom_id',
      square: 'in reference_id',
      'lemon-squeezy': 'in the checkout’s custom data, as click_id or referral_code',
      shopify: 'in the cart’s attributes, as click_id or referral_code',
      woocommerce: 'in the order’s metadata, as click_id or referral_code',
      polar: 'in the checkout’s metadata, as click_id or referral_code, or in reference_id',
      chargebee: 'in the subscription’s custom fields, as cf_click_id or cf_referral_code',
      recurly: 'in custom fields of the subscription or the account, as click_id or referral_code',
      generic: 'as click_id or referral_code',
    },
  },

  receipt: {
    heading: 'Receipt',
    mode: 'Mode',
    named: ({ amount }: { amount: Word }) => `Receipt for ${amount}`,
    copyLink: 'Copy link',
    gone: 'This receipt doesn’t exist, or it belongs to someone else.',
    steps: 'From click to payout',
    step: {
      click: 'Click',
      lead: 'Lead',
      rule: 'Rule',
      sale: 'Sale',
      terms: 'Terms',
      share: 'Layer and rate',
      reversal: 'Reversal',
      restoration: 'Restoration',
      adjustment: 'Adjustment',
      bonus: 'Bonus',
      corrections: 'Corrections',
      hold: 'Hold',
      payout: 'Payout',
      bank: 'Bank',
    },

    clicked: ({ at }: { at: Word }) => `A partner’s link was clicked on ${at}.`,
    referrer: 'Came from',
    direct: 'No other site',
    landing: 'Landed on',
    clickForgotten: 'This lead came from a click. Its details have since been deleted.',
    noClick: {
      embed: 'No click: the form was submitted without one.',
      manual: 'No click: the lead was added manually.',
      api: 'No click: another system sent the lead.',
      'incoming-webhook': 'No click: the lead came through an incoming webhook.',
      provider: 'No click: the lead came with a payment.',
      import: 'No click: the lead was imported.',
      partner: 'No click: the partner registered the lead.',
    },
    leadHidden: 'One of your sub-partners referred the lead. You only see your own part.',
    leadSince: ({ date }: { date: Word }) => `A lead since ${date}.`,
    sentence: ({ text }: { text: Word }) => `${text}.`,
    others: ({ count }: { count: number }) =>
      formatPlural(
        count,
        `Why ${formatNumber(count)} other rule didn’t match`,
        `Why ${formatNumber(count)} other rules didn’t match`,
      ),

    sold: ({ amount, date, source }: { amount: Word; date: Word; source: Word }) => `${amount} on ${date}, ${source}.`,
    soldHidden: ({ date, source }: { date: Word; source: Word }) =>
      `Sold on ${date}, ${source}. Sale amounts aren’t shared with partners.`,
    byCompany: 'sent by the company’s systems',
    gross: 'With tax',
    exchanged: 'Exchange rate',
    exchange: ({ from, rate, to, date, amount }: { from: Word; rate: Word; to: Word; date: Word; amount: Word }) =>
      `1 ${from} = ${rate} ${to} on ${date}, ${amount} in total`,
    refunded: 'Refunded',

    rateOf: ({ rate, layer }: { rate: Word; layer: Word }) => `${rate} for layer ${layer}`,
    sources: {
      partner: 'from the partner’s own rates',
      group: 'from the group’s rates',
      link: 'from the link’s rates',
      account: 'from the account’s rates',
    },
    termsOf: {
      partner: () => 'The partner’s own terms',
      group: ({ name }: { name: Word }) => `Terms of the ${name} group`,
      link: ({ name }: { name: Word }) => `Terms of the link ${name}`,
      account: () => 'The account’s terms',
    },
    version: ({ terms, version, date }: { terms: Word; version: Word; date: Word }) =>
      `${terms}, version ${version}; this customer came on ${date}.`,
    cap: {
      customer: ({ limit, used }: { limit: Word; used: Word }) =>
        `Your terms pay at most ${limit} a customer; ${used} was earned before.`,
      month: ({ limit, used }: { limit: Word; used: Word }) =>
        `Your terms pay at most ${limit} a month; ${used} was earned before.`,
      year: ({ limit, used }: { limit: Word; used: Word }) =>
        `Your terms pay at most ${limit} a year; ${used} was earned before.`,
    },
    layer: 'Layer',
    openEvents: ({ count }: { count: number }) =>
      formatPlural(
        count,
        'This event of the payment provider isn’t processed yet. It may change the amounts below.',
        'These events of the payment provider aren’t processed yet. They may change the amounts below.',
      ),
    openEvent: ({ type, at }: { type: Word; at: Word }) => `${type}, ${at}`,
    base: 'Calculated on',
    rounded: 'Before rounding',
    capped: 'Capped at what was left of the sale',
    given: 'Amount set by the import',
    amounts: {
      earned: 'Earned',
      reversal: 'Reversed',
      restoration: 'Restored',
      adjustment: 'Adjusted',
      bonus: 'Bonus',
    },
    booked: ({ date }: { date: Word }) => `Recorded on ${date}. It isn’t for a sale, so it has no click, lead or rate.`,
    takenBack: {
      refund: ({ date }: { date: Word }) =>
        `The sale was refunded on ${date}. The commission of the refunded part is reversed.`,
      dispute: ({ date }: { date: Word }) =>
        `The payment was disputed on ${date} and the dispute was lost. The same share of the commission is reversed.`,
      void: ({ date }: { date: Word }) => `The sale was voided on ${date}. All of its commission is reversed.`,
      limit: ({ date }: { date: Word }) => `The sale no longer earns this commission as of ${date}.`,
    },
    givenBack: {
      refund: ({ date }: { date: Word }) =>
        `The refund from ${date} didn’t go through. Its share of the commission is restored.`,
      dispute: ({ date }: { date: Word }) =>
        `The dispute from ${date} was won. Its share of the commission is restored.`,
      void: ({ date }: { date: Word }) => `Restored on ${date}.`,
      limit: ({ date }: { date: Word }) => `The sale earns this commission again as of ${date}.`,
    },
    corrected: ({ count }: { count: number }) =>
      formatPlural(
        count,
        `${formatNumber(count)} later entry changes this amount.`,
        `${formatNumber(count)} later entries change this amount.`,
      ),
    reversed: ({ date }: { date: Word }) => `Reversed ${date}`,
    restored: ({ date }: { date: Word }) => `Restored ${date}`,
    left: 'Remaining',

    onHold: 'On hold until',
    dispute: 'the dispute ends',
    why: 'Why',
    voided: 'The sale is void. No commission is paid on it.',
    payableSince: ({ date }: { date: Word }) => `Payable since ${date}.`,

    payouts: {
      open: 'The payout is blocked.',
      due: 'The payout is waiting for approval.',
      approved: 'The payout is approved.',
      processing: 'The payout is being sent.',
      'awaiting-funding': 'The payout is waiting for the company to fund it.',
      sent: 'The payout was sent.',
      paid: 'The payout was paid.',
      failed: 'The payout failed. It can be retried.',
      returned: 'The payout was returned by the bank.',
      canceled: 'The payout was canceled.',
    },
    approvedOn: 'Approved on',
    earlier: 'Earlier payout',
    earlierAgain: ({ number }: { number: Word }) => `Earlier payout ${number}`,
    payoutFrom: ({ date }: { date: Word }) => `Will be added to a payout from ${date}.`,
    payoutAfterHold: 'Will be added to a payout once it’s no longer on hold.',
    next: 'Due. It’s in the next payout, which is waiting for approval.',
    blocked: 'Due, but the payout is blocked.',
    takenOff: 'Deducted from the next payout.',
    blocker: 'Waiting for',
    blockerAgain: ({ number }: { number: Word }) => `Waiting for (${number})`,

    bankAhead: 'Sent once its payout is approved.',
    nothingSent: 'No money is sent: this amount reduces a payout.',
    bank: {
      ahead: 'Not sent yet.',
      sent: 'On its way.',
      paid: 'Paid.',
      failed: 'The transfer failed. No money was sent.',
      returned: 'The money was returned.',
    },
    destination: 'Paid to',
    sentOn: 'Sent on',
    reference: 'Reference',
    transfer: 'Wise transfer',
  },

  layer: ({ number }: { number: Word }) => `${number} · `,
  noCommission: 'No commission',
  atZero: 'No commission: the rates are 0%.',
  refused: ({ reason }: { reason: Word }) => `No commission: ${toClause(reason)}.`,
  flagged: ({ reason }: { reason: Word }) => `Flagged: ${toClause(reason)}.`,
  converted: ({ amount, rate }: { amount: Word; rate: Word }) => `${amount} at ${rate}`,
  waits: ({ currency, date }: { currency: Word; date: Word }) =>
    `Waiting for the ${currency} exchange rate for ${date}. Commission is credited once it’s available.`,
  held: ({ date, reason }: { date: Word; reason: Word }) => `On hold until ${date}: ${toClause(reason)}.`,
  heldPlain: 'On hold while it’s under review.',
  until: ({ date }: { date: Word }) => `until ${date}`,
  reviewUntil: ({ date }: { date: Word }) => `under review until ${date}`,

  split: {
    heading: 'How this sale splits',
    live: 'Updates as you type',
    hint: 'Enter an amount to see who earns what.',
    noCustomer: 'Choose a lead or a partner to see who earns what.',
    keep: 'You keep',
    payableOn: ({ date }: { date: Word }) => `Payable on ${date}`,
    days: ({ count }: { count: number }) =>
      formatPlural(
        count,
        `${count} day after the sale, if it is not refunded or disputed.`,
        `${count} days after the sale, if it is not refunded or disputed.`,
      ),
    daysNone: 'On the day of the sale, if it is not refunded or disputed.',
    nobody: 'No one earns commission on this sale.',
    noPartner: 'No one earns commission on this sale: the lead has no partner.',
    zeroRates: {
      partner: ({ partner }: { partner: Word }) => `Commission is 0% for ${partner}, so no one earns on this sale.`,
      group: ({ partner }: { partner: Word }) =>
        `Commission is 0% for the group of ${partner}, so no one earns on this sale.`,
      link: () => 'Commission is 0% for this lead’s link, so no one earns on this sale.',
      account: () => 'Commission is 0% in the account’s settings, so no one earns on this sale.',
    },
    assign: 'Assign partner',
    noRate: ({ currency }: { currency: Word }) =>
      `There’s no ${currency} exchange rate for this date. The sale is saved, and commission is credited once you enter the rate.`,
    bar: ({ parts }: { parts: Word }) => `Sale breakdown: ${parts}`,
    layer: ({ number }: { number: Word }) => `Layer ${number}`,
    failed: 'We couldn’t load the split.',
  },
})

export const saleWords = withTeamWords(partnersSaleWords, {
  testNone: 'Sales in your payment provider’s test mode appear here. They don’t count.',
  unattributedNone: 'Every sale has a partner. Payments that don’t match a lead appear here.',
  noLead: 'No lead',

  refund: {
    heading: 'Refund sale',
    explain: 'This records a refund you’ve already made. It doesn’t send money to the customer.',
    loses: ({ partner, amount }: { partner: Word; amount: Word }) => `${partner} loses ${amount}.`,
    nobody: 'No commission is reversed.',
    amount: 'Refund Amount',
    left: ({ amount }: { amount: Word }) => `You can refund up to ${amount}, tax included.`,
    tooMuch: ({ amount }: { amount: Word }) => `Only ${amount} is left to refund`,
    submit: 'Refund',
    done: ({ amount }: { amount: Word }) => `Refund of ${amount} recorded`,
  },

  void: {
    heading: 'Void sale',
    explain: ({ amount, commission }: { amount: Word; commission: Word }) =>
      `Use this for a sale entered by mistake. ${amount} and ${commission} in commission are reversed.`,
    explainPlain: 'Use this for a sale entered by mistake. The sale and its commission are reversed.',
    submit: 'Void',
    done: 'Sale voided',
  },
  restore: {
    heading: 'Restore sale',
    explain:
      'Use this for a sale that was voided by mistake. It counts again, and its commission is restored by the terms it was booked by.',
    submit: 'Restore',
    done: 'Sale restored',
  },

  release: {
    heading: 'Release sale',
    explain: ({ commission }: { commission: Word }) => `Ends the hold. ${commission} in commission is paid as usual.`,
    submit: 'Release',
    done: 'Sale released',
  },

  describe: {
    heading: 'Edit description',
    submit: 'Save changes',
    done: 'Sale saved',
  },

  rate: {
    heading: 'Enter exchange rate',
    label: 'Exchange Rate',
    help: ({ from, to, date }: { from: Word; to: Word; date: Word }) =>
      `What 1 ${from} was worth in ${to} on ${date}. It applies to every sale waiting for this rate.`,
    makes: ({ amount }: { amount: Word }) => `This sale becomes ${amount}.`,
    submit: 'Enter exchange rate',
    done: 'Exchange rate entered',
  },

  earlier: {
    label: ({ count, amount }: { count: number; amount: Word }) =>
      formatPlural(
        count,
        `Also credit ${formatNumber(count)} earlier sale (${amount})`,
        `Also credit ${formatNumber(count)} earlier sales (${amount})`,
      ),
    help: ({ commission }: { commission: Word }) =>
      `No one is credited for this customer’s earlier purchases. At today’s rates, they earn ${commission} in commission.`,
  },

  attribute: {
    heading: 'Attribute sale',
    either: 'Choose a partner or a lead',
    explain: ({ amount, date }: { amount: Word; date: Word }) => `${amount} on ${date} is credited at today’s rates.`,
    partnerHelp: 'The payer’s lead is found or created, and assigned to this partner.',
    leadHelp: 'Only leads with a partner.',
    alike: 'Leads that may be the payer',
    because: {
      customer: 'Same customer',
      'external-id': 'Customer ID is its external ID',
      email: 'Same email',
      mailbox: 'Same mailbox',
      phone: 'Same phone',
      name: 'Same name',
      domain: 'Same email domain',
      company: 'Same company',
    },
    referredLater: 'Referred after this sale',
    submit: 'Attribute',
    done: 'Sale attributed',
    reason: ({ because, lead }: { because: Word; lead: Word }) => `${because}: ${lead}`,
    many: ({ count }: { count: number }) =>
      formatPlural(count, `Attribute ${formatNumber(count)} sale`, `Attribute ${formatNumber(count)} sales`),
    explainMany: 'Each sale is credited at today’s rates.',
    toPartner: ({ count }: { count: number }) =>
      formatPlural(count, `${formatNumber(count)} sale`, `${formatNumber(count)} sales`),
    rest: ({ count }: { count: number }) =>
      formatPlural(
        count,
        `Credited with the other ${formatNumber(count)} sale.`,
        `Credited with the other ${formatNumber(count)} sales.`,
      ),
    likelyReason: 'Payers match leads of these partners',
  },

  new: {
    chooseLead: 'Choose a lead',
    newCustomer: 'New customer',
    useKnown: 'Use this lead',
    payableLater: ({ date, before }: { date: Word; before: Word }) =>
      `Payable on ${date}. To try a payout now, enter a date before ${before}.`,
    payableNow: 'Payable now. The payout opens when you add the sale.',
    amountHelp: 'Excluding tax and shipping.',
    looksKnown: 'This looks like an existing sale',
    known: ({ amount, date, how }: { amount: Word; date: Word; how: Word }) => `${amount} on ${date}, ${how}.`,
    viewKnown: 'View existing sale',
    different: 'This is a different sale',
    confirmDifferent: 'Confirm that this is a different sale',
    taken: ({ amount, date }: { amount: Word; date: Word }) =>
      `This external ID belongs to the ${amount} sale on ${date}.`,
  },
})
