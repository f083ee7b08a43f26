import { formatNumber, formatPlural, type Word } from '#contract/format.ts'
import { defineWords, withTeamWords } from '#contract/words.ts'

/** The words of the partners screens. */
const partnersPartnerWords = defineWords('partner', 'partner', {
  plural: 'partners',
  noneYet: 'Partners refer leads through their own links and earn commission on what those leads buy.',
  noneYetOfPartner: 'Your sub-partners appear here, along with their referrals.',
  parent: 'Parent',
  addedWho: ({ name }: { name: Word }) => `Partner added: ${name}`,
  subPartnersOf: ({ name }: { name: Word }) => `Sub-partners of ${name}`,
  asTree: 'Show as tree',
  treeFlat: 'Clear search and filters to see the tree.',
  balanceDue: 'Balance due',
  approved: 'Approved this year',
  agreement: 'Agreement',
  agreementStates: { accepted: 'Accepted', waiting: 'Waiting' },
  agreementVersion: ({ version }: { version: Word }) => `Agreement version ${version}`,
  topLevel: 'None',
  edit: 'Edit',
  addSubPartner: 'Add sub-partner',
  invitationIs: ({ status }: { status: Word }) => `Invitation: ${status}`,
  sendInvitation: 'Send invitation',
  import: 'Import partners',
  noteHelp: 'Only you see this.',
  addCode: 'Add a code',
  ownerPassesLink: 'The account owner can pass the link on.',
  recruiting: 'Your recruiting link',
  recruitingHelp: 'People who join with this link become your sub-partners.',
  copyRecruiting: 'Copy recruiting link',

  added: {
    link: ({ name }: { name: Word }) => `${name} was added. Send them this link so they can sign in:`,
    mailed: ({ name, email }: { name: Word; email: Word }) =>
      `${name} was added, and their invitation is on its way to ${email}.`,
    kept: ({ name }: { name: Word }) =>
      `${name} was added. Email isn’t set up on this server, so the invitation wasn’t sent.`,
    passedOn: ({ name }: { name: Word }) => `${name} was added. The account owner can pass the link on.`,
    notInvited: ({ name }: { name: Word }) => `${name} was added without an invitation.`,
    another: 'Add another',
  },

  detail: {
    tabs: 'About this partner',
    overview: 'Overview',
    gone: 'This partner doesn’t exist, or was deleted.',
    copyCode: ({ name }: { name: Word }) => `Copy code for ${name}`,
    under: 'Under',
    since: ({ date }: { date: Word }) => `Joined ${date}`,
    addedOn: ({ date }: { date: Word }) => `Added ${date}`,
    suspended: 'Suspended: links still work but earn no credit, and payouts are paused.',
    archived: 'Archived: links still work but earn no credit. Past earnings are kept.',
    figures: ({ name }: { name: Word }) => `Figures for ${name}`,
    shareOfClicks: ({ rate }: { rate: Word }) => `${rate} of clicks`,
    shareOfLeads: ({ rate }: { rate: Word }) => `${rate} of leads`,
    funnel: 'From click to sale',
    revenueAndShare: 'Revenue and share',
    ownShare: 'Your earnings',
    subPartnersHint: 'Sub-partners earn their own commission, and this partner also earns from each of their sales.',
    leadsHint: 'Leads appear here once this partner refers one.',
    payoutsHint: 'Payouts appear here once commissions are due.',
    leadsPlural: 'leads',
    payoutsPlural: 'payouts',
  },

  commission: {
    own: 'Own rates',
    onSale: ({ amount }: { amount: Word }) => `On a sale of ${amount}`,
    paidTo: 'Paid to',
    nobody: 'No parent partner',
  },

  balance: {
    viewPayouts: 'View payouts',
    held: 'Held',
    heldUntil: ({ date }: { date: Word }) => `Held, due from ${date}`,
    onHold: 'On hold',
    inPayout: 'In payout',
    paid: 'Paid',
    earned: 'Earned',
  },

  links: { heading: 'Links', more: 'Show more links' },

  payoutDetails: {
    form: ({ kind, date }: { kind: Word; date: Word }) => `${kind}, ${date}`,
    formEnding: ({ form, digits }: { form: Word; digits: Word }) => `${form}, number ending in ${digits}`,
    forms: { 'w-9': 'W-9', 'w-8ben': 'W-8BEN', 'w-8ben-e': 'W-8BEN-E' },
    recordForm: 'Record tax form',
    receivedOn: 'Received On',
    chooseForm: 'Choose a form',
    recordWhy: 'Only the type and date are kept, not the form itself.',
    recorded: 'Tax form recorded',
  },

  invite: {
    sent: 'Sent',
    expired: 'Expired',
    problem: 'Problem',
    never: 'Not invited yet. This partner can’t sign in, but still earns commission.',
    resend: 'Resend invitation',
    send: 'Send invitation',
    link: 'Invitation link',
    copyLink: 'Copy invitation link',
    noMail: 'Email isn’t set up on this server. Copy the link and send it yourself.',
    newLink: 'New invitation link created',
    kept: 'Email isn’t set up on this server, so the invitation wasn’t sent.',
    revoked: 'The link no longer works.',
    revoke: 'Revoke invitation',
    revokeWhy: ({ name }: { name: Word }) =>
      `The link for ${name} stops working immediately. You can invite them again later.`,
    revokeDone: 'Invitation revoked',
  },

  correct: {
    over: 'This partner has accepted the invitation. Only the account owner can make changes now.',
    back: 'Back to partner',
  },

  payoutColumns: { period: 'Period' },
})

export const partnerWords = withTeamWords(partnersPartnerWords, {
  owed: {
    heading: 'Balance owed',
    due: ({ amount }: { amount: Word }) => `Due ${amount}`,
    dueSince: ({ date }: { date: Word }) => `since ${date}`,
    held: ({ amount }: { amount: Word }) => `Held ${amount}`,
    until: ({ date }: { date: Word }) => `due from ${date}`,
    onHold: ({ amount }: { amount: Word }) => `On hold ${amount}`,
    inPayout: ({ amount }: { amount: Word }) => `In payout ${amount}`,
    ready: 'Ready to be paid',
    viewPayouts: 'View payouts',
    viewHeld: 'View commissions',
    remind: 'Remind',
    reminded: ({ name }: { name: Word }) => `${name} reminded`,
    kept: 'Email isn’t set up on this server, so the reminder wasn’t sent.',
    setUp: 'Set up payouts',
  },

  approval: {
    approvedIn: ({ year }: { year: Word }) => `Approved for payouts in ${year}`,
    saved: ({ name, year }: { name: Word; year: Word }) => `${name} approved for ${year}`,
    removed: ({ name, year }: { name: Word; year: Word }) => `${name} no longer approved for ${year}`,
  },

  setup: {
    noInvoiceDetails: 'No invoice details yet',
    heading: 'Setup',
    payoutDetails: 'Payout details',
    notAdded: 'Not added by the partner yet',
    changed: 'Changed',
    nameCheck: 'Name check',
    expired: ({ form }: { form: Word }) => `${form} (expired)`,
  },

  promotionCodes: {
    heading: 'Promotion codes',
    add: 'Add promotion code',
    why: 'From now on, sales paid with this code are credited to this partner. Codes aren’t case-sensitive.',
    added: 'Promotion code added',
    delete: ({ code }: { code: Word }) => `Delete promotion code ${code}`,
    more: 'Show more codes',
  },

  acts: {
    adjust: 'Add adjustment',
    adjustWhy: 'Due immediately. Enter a negative amount to deduct.',
    dueNow: 'Due now',
    dueThen: 'Due after this',
    suspend: 'Suspend',
    suspendHeading: 'Suspend partner',
    suspendWhy: ({ name }: { name: Word }) =>
      `${name} gets no credit for new customers and isn’t paid until restored. Existing customers still count for them, and past earnings are kept.`,
    suspendDone: ({ name }: { name: Word }) => `${name} suspended`,
    archive: 'Archive',
    archiveHeading: 'Archive partner',
    archiveWhy: ({ name }: { name: Word }) =>
      `${name} gets no credit for new customers. Existing customers still count for them, unless you void the balance. You can restore the partner later.`,
    subPartnersNow: ({ count }: { count: number }) =>
      formatPlural(count, `${formatNumber(count)} sub-partner`, `${formatNumber(count)} sub-partners`),
    moveUp: 'Move up',
    keep: 'Keep',
    openNow: ({ amount }: { amount: Word }) => `${amount} open`,
    payOut: 'Pay out',
    void: 'Void',
    archiveDone: ({ name }: { name: Word }) => `${name} archived`,
    restore: 'Restore',
    restoreDone: ({ name }: { name: Word }) => `${name} restored`,
    delete: 'Delete',
    resource: 'partner',
    adjustmentDone: 'Adjustment added',
    inUse: ({ history }: { history: Word }) =>
      `This partner has ${history}. Archive the partner instead to keep the history and balance.`,
    history: {
      leads: ({ count }: { count: number }) =>
        formatPlural(count, `${formatNumber(count)} lead`, `${formatNumber(count)} leads`),
      sales: ({ count }: { count: number }) =>
        formatPlural(count, `${formatNumber(count)} sale`, `${formatNumber(count)} sales`),
      payouts: ({ count }: { count: number }) =>
        formatPlural(count, `${formatNumber(count)} payout`, `${formatNumber(count)} payouts`),
      subPartners: ({ count }: { count: number }) =>
        formatPlural(count, `${formatNumber(count)} sub-partner`, `${formatNumber(count)} sub-partners`),
      commissions: ({ count }: { count: number }) =>
        formatPlural(count, `${formatNumber(count)} commission entry`, `${formatNumber(count)} commission entries`),
    },
  },

  bulk: {
    approve: ({ year }: { year: Word }) => `Approve for ${year}`,
    allApproved: ({ year }: { year: Word }) => `All selected partners are already approved for ${year}`,
    allJoined: 'All selected partners have already joined',
    noneEarns: 'All selected partners are already suspended or archived',
    rates: 'Change rates',
    ratesHeading: ({ count }: { count: number }) =>
      formatPlural(
        count,
        `Change the rates of ${formatNumber(count)} partner`,
        `Change the rates of ${formatNumber(count)} partners`,
      ),
    suspendHeading: ({ count }: { count: number }) =>
      formatPlural(count, `Suspend ${count} partner`, `Suspend ${count} partners`),
    suspendWhy:
      'They get no credit for new customers and aren’t paid until restored. Existing customers still count for them, and past earnings are kept.',
  },
})
