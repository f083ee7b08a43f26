import { formatNumber, formatPlural, toClause, type Word } from '#contract/format.ts'
import { defineWords, withTeamWords } from '#contract/words.ts'

/** The words of the payouts screens. */
const partnersPayoutWords = defineWords('payout', 'partner', {
  number: ({ number }: { number: Word }) => `PO-${number}`,
  heading: ({ number }: { number: Word }) => `Payout ${number}`,
  plural: 'payouts',
  count: ({ count }: { count: number }) =>
    formatPlural(count, `${formatNumber(count)} payout`, `${formatNumber(count)} payouts`),
  payOnWise: 'Add money in Wise',

  methods: {
    wise: 'Wise',
    paypal: 'PayPal',
    sepa: 'SEPA file',
    units: 'Units',
    credit: 'Credit',
    manual: 'Manual',
    csv: 'Wise batch',
  },

  statement: {
    print: 'Print statement',
    download: 'Download PDF',
    downloadOf: ({ number }: { number: Word }) => `Download PDF of ${number}`,
    downloadInvoice: ({ number }: { number: Word }) => `Invoice ${number}`,
  },

  detail: {
    amount: 'Amount to pay',
    amountPaid: 'Amount paid',
    amountCanceled: 'Amount canceled',
    entries: 'Entries',
    entriesPlural: 'entries',
    attempts: 'Attempts',
    gone: 'This payout doesn’t exist, or its amounts were moved to another one.',
    noEntries: 'This payout no longer has any entries. They’re due again.',
    details: 'Details',
    period: 'Period',
    sentTo: 'Sent to',
    noAccount: 'Not added',
    fee: 'Estimated fee',
    nextRun: 'Automatic run',
    approvedBy: 'Approved by',
    arrives: 'Arrives',
    arrivesWhen: '1 business day after funding',
    timeline: 'Timeline',
  },

  blockers: {
    heading: 'What’s blocking this payout',
    soft: 'Before you approve',
    softOwn: 'What this payout is waiting for',
    oncePerYear: 'Partners are approved for payouts once per calendar year.',
    enterDetails: 'Open your payout settings',
    askDetails: 'Only the partner can enter them, under Settings. Without them, pay another way and mark it as paid.',
    wait: 'The balance carries over until it reaches the minimum. You can change the minimum or mark it as paid.',
    openSettings: 'Open payout settings',
    setUpMethod: 'Set up a payout method',
    openPartner: ({ name }: { name: Word }) => `Open ${name}`,
    suspended: 'Restore the partner to release this payout.',
    agreement: 'The partner is asked to accept it whenever they sign in.',
    taxForm: 'The partner signs it in their settings, or you record one you’ve received.',
    invoiceDetails: 'The partner enters them in their settings.',
    rejected: 'The partner must replace their details. You can also pay another way and mark it as paid.',
    currency: 'Pay another way and mark it as paid.',
    notConfigured: 'Set up a payout method, or pay it yourself and mark it as paid.',
    outOfReach: 'Set up a payout method that reaches these details, or pay it yourself and mark it as paid.',
    changed: 'Approve only if you’re sure the change is genuine.',
    held: 'Release or void the sale.',
    negative: 'It will be deducted from future earnings.',
  },

  stopped: {
    heading: 'Waiting for',
    'by-hand': 'Manual payment',
    'by-hand_help': 'Send the money yourself, then mark the payout as paid.',
    'in-batch': 'Wise batch file',
    'in-batch_help': 'Upload the file in Wise. Once it’s paid, upload Wise’s results or mark the payout as paid.',
    'in-file': 'Paid by a payment file',
    'in-file_help':
      'Make a payment file, or upload the one that you made at your bank. Once it’s paid, upload the bank’s report or mark the payout as paid.',
    'other-name': 'The bank found another name on the account',
    'other-name_help':
      'Ask the partner whose account it is before you release the payment at your bank. If it’s wrong, cancel the payout, at your bank too.',
    unclaimed: 'Not claimed yet',
    unclaimed_help: 'The partner has been notified. If they don’t claim it, its amounts will be due again.',
    claimBy: ({ date }: { date: Word }) => `Not claimed yet. Accept it in PayPal by ${date}.`,
    unsure: 'It isn’t known whether this was paid',
    unsure_help:
      'Look for it in your account at the provider. If it was paid, mark the payout as paid; if not, cancel it to make its amounts due again.',
    'awaiting-funding': 'The transfer isn’t funded',
    'awaiting-funding_help': 'Pay it on wise.com, or add money to your Wise balance and retry.',
    'awaiting-balance': 'There isn’t enough money in your balance',
    'awaiting-balance_help': 'Add money to your balance, then retry.',
    failed: 'The transfer failed',
    failed_help: 'No money was sent. Retry the payout, or cancel it to make its amounts due again.',
    'under-way': 'The transfer is stuck',
    'under-way_help': 'It’s retried automatically. Check the connection in the payout settings.',
    returned: 'The money was returned',
    returned_help: 'Its amounts will be due again in a new payout once the money is back in your balance.',
  },

  events: {
    opened: 'Payout opened',
    openedWhy: 'The first amount was earned',
    due: 'Due',
    dueWhy: 'The first amount became due',
    approved: 'Approved',
    automatic: 'Automatic run',
    attempt: ({ number, provider }: { number: Word; provider: Word }) => `Attempt ${number} in ${provider}`,
    sent: ({ provider }: { provider: Word }) => `Sent by ${provider}`,
    paid: 'Paid',
    failed: 'Failed',
    returned: 'Returned',
    canceled: 'Canceled',
    'awaiting-funding': 'Awaiting funding',
    blocked: 'Approval blocked',
  },
})

export const payoutWords = withTeamWords(partnersPayoutWords, {
  owedLine: {
    heading: 'What you owe',
    owed: 'You owe',
    due: 'Due',
    notYetDue: 'Not yet due',
    ready: 'Ready',
    blocked: 'Blocked',
    awaitingFunding: 'Awaiting funding',
    inPayout: 'In payout',
    overpaid: 'Overpaid',
    held: 'Held',
    onHold: 'On hold',
    beingReturned: 'Being returned',
    paidThisYear: 'Paid this year',
  },
  part: 'Part',
  parts: {
    ready: 'Ready',
    blocked: 'Blocked',
    overpaid: 'Overpaid',
    held: 'Held',
    'on-hold': 'On hold',
    'awaiting-funding': 'Awaiting funding',
    'in-payout': 'In payout',
    'being-returned': 'Being returned',
  },
  makeFile: 'Make payment file',

  paydays: {
    today: 'Today',
    next: ({ day, payouts, amount }: { day: Word; payouts: Word; amount: Word }) => `${day} · ${payouts} · ${amount}`,
    noneYet: 'No payday yet',
    partners: ({ count }: { count: number }) =>
      formatPlural(count, `${formatNumber(count)} partner`, `${formatNumber(count)} partners`),
    nextYear: ({ count, year }: { count: number; year: Word }) =>
      formatPlural(
        count,
        `${formatNumber(count)} partner needs approval for ${year}`,
        `${formatNumber(count)} partners need approval for ${year}`,
      ),
    onlyNextYear: ({ year }: { year: Word }) => `Waiting for ${year}`,
    allBlocked: 'Nothing can be paid until the blockers are resolved.',
    seeBlockers: 'See what blocks payouts',
    none: 'Paydays appear here once commissions are earned.',
  },

  lost: ({ count }: { count: number }) =>
    formatPlural(
      count,
      'This balance was approved or has changed meanwhile. Reload to see it.',
      'These balances were approved or have changed meanwhile. Reload to see them.',
    ),
  showEmpty: 'Show empty balances',
  onlyBlocked: 'Blocked only',
  dateRange: 'Date range',
  paidYear: 'Year paid',
  anyYear: 'Any year',
  choices: { onItsWay: 'On its way', returned: 'Returned', canceled: 'Canceled', all: 'All' },

  now: {
    heading: 'What you can do now',
    next: 'Next step',
    chips: {
      approve: ({ count }: { count: number }) =>
        formatPlural(count, `${formatNumber(count)} ready to approve`, `${formatNumber(count)} ready to approve`),
      'second-approval': ({ count }: { count: number }) =>
        formatPlural(
          count,
          `${formatNumber(count)} needs a second approval`,
          `${formatNumber(count)} need a second approval`,
        ),
      file: ({ count }: { count: number }) =>
        formatPlural(count, `${formatNumber(count)} for a payment file`, `${formatNumber(count)} for a payment file`),
      fund: ({ count }: { count: number }) =>
        formatPlural(count, `${formatNumber(count)} awaiting funding`, `${formatNumber(count)} awaiting funding`),
      pay: ({ count }: { count: number }) =>
        formatPlural(count, `${formatNumber(count)} to pay manually`, `${formatNumber(count)} to pay manually`),
      results: ({ count, file }: { count: number; file: Word | null }) =>
        file === null
          ? formatPlural(count, `${formatNumber(count)} in payment files`, `${formatNumber(count)} in payment files`)
          : formatPlural(
              count,
              `${formatNumber(count)} in payment file ${file}`,
              `${formatNumber(count)} in payment file ${file}`,
            ),
      check: ({ count }: { count: number }) =>
        formatPlural(count, `${formatNumber(count)} may be paid`, `${formatNumber(count)} may be paid`),
      'check-name': ({ count }: { count: number }) =>
        formatPlural(
          count,
          `${formatNumber(count)} with a doubtful name`,
          `${formatNumber(count)} with doubtful names`,
        ),
      remind: ({ count }: { count: number }) =>
        formatPlural(
          count,
          `${formatNumber(count)} without payout details`,
          `${formatNumber(count)} without payout details`,
        ),
      'approve-year': ({ count, year }: { count: number; year: Word }) =>
        formatPlural(
          count,
          `${formatNumber(count)} not approved for ${year}`,
          `${formatNumber(count)} not approved for ${year}`,
        ),
      'fix-details': ({ count }: { count: number }) =>
        formatPlural(
          count,
          `${formatNumber(count)} with rejected details`,
          `${formatNumber(count)} with rejected details`,
        ),
      acknowledge: ({ count }: { count: number }) =>
        formatPlural(count, `${formatNumber(count)} not acknowledged`, `${formatNumber(count)} not acknowledged`),
      retry: ({ count }: { count: number }) =>
        formatPlural(count, `${formatNumber(count)} failed`, `${formatNumber(count)} failed`),
      reconnect: ({ count }: { count: number }) =>
        formatPlural(
          count,
          `${formatNumber(count)} waiting for a connection`,
          `${formatNumber(count)} waiting for a connection`,
        ),
    },
    remind: 'Send reminder',
    approveYear: ({ year }: { year: Word }) => `Approve for ${year}`,
    retry: 'Retry',
    reconnect: 'Reconnect',
    retryMany: ({ count }: { count: number }) =>
      formatPlural(count, `Retry ${formatNumber(count)} payout`, `Retry ${formatNumber(count)} payouts`),
    fundWhy: ({ count, amount }: { count: number; amount: Word }) =>
      formatPlural(
        count,
        `${amount} will be paid if your balance is enough now.`,
        `${formatNumber(count)} payouts, ${amount} in total, will be paid as far as your balance is enough now.`,
      ),
    retryWhy: ({ count, amount }: { count: number; amount: Word }) =>
      formatPlural(
        count,
        `${amount} will be sent again as a new attempt.`,
        `${formatNumber(count)} payouts, ${amount} in total, will be sent again as new attempts.`,
      ),
  },

  commissions: { dueOn: 'Due date' },

  columns: {
    dueDate: 'Due date',
    held: 'Held',
    onHold: 'On hold',
    nextPayout: 'Next payout',
    entry: 'Entry',
    error: 'Message',
  },

  reasons: {
    ready: 'Ready to approve',
    readyForFile: 'Ready for a payment file',
    held: 'Held until payable',
    scheduled: ({ date }: { date: Word }) => `Will be sent automatically on ${date}`,
    rejected: 'Bank details were rejected',
    payByHand: 'Pay it manually, then mark it as paid',
    payWithVat: ({ amount }: { amount: Word }) => `Pay ${amount} with VAT manually, then mark it as paid`,
    inBatch: 'In a Wise batch file. Upload the results once it’s paid',
    byFile: 'In a payment file. Upload the bank’s report once it’s paid',
    approved: ({ provider }: { provider: Word }) => `Waiting for ${provider}`,
    processing: ({ provider }: { provider: Word }) => `Being sent by ${provider}`,
    fund: 'Pay the transfer on wise.com',
    topUp: ({ provider }: { provider: Word }) => `Add money to your ${provider} balance`,
    unclaimed: ({ provider, date }: { provider: Word; date: Word }) =>
      `Not claimed yet; ${provider} returns it on ${date}`,
    sentOn: ({ date }: { date: Word }) => `Sent on ${date}`,
    failed: 'The transfer failed',
    returned: 'Returned by the bank',
    sent: ({ date }: { date: Word }) => `Sent on ${date}. Counts as paid after five business days unless it’s returned`,
    paid: ({ date }: { date: Word }) => `Paid on ${date}`,
    paidWith: ({ date, reference }: { date: Word; reference: Word }) => `Paid on ${date}, reference ${reference}`,
    canceled: 'Canceled. Its amounts are due again',
    more: ({ reason, count }: { reason: Word; count: Word }) => `${toClause(reason)}, and ${count} more`,
  },

  empty: {
    upcoming: 'Partner balances appear here once commissions are earned.',
    'needs-action': 'Nothing needs your attention. Payouts appear here once commissions are due.',
    paid: 'Payouts appear here once they’ve been paid.',
  },

  wiseError: ({ reason }: { reason: Word }) =>
    `Wise refused the connection: ${reason} Automatic payouts are paused until this is fixed.`,
  checkToken: 'Check the API token',

  results: {
    heading: 'Upload results',
    text: 'Choose your bank’s report on a SEPA file (pain.002, camt.052–054 or MT940, or a zip of them), or the results you downloaded from Wise. Nothing changes until you apply it.',
    tooLarge: ({ most }: { most: Word }) => `This file is larger than ${most} MB.`,
    kinds: 'XML, MT940, CSV or zip',
    rows: 'Results',
    row: ({ row }: { row: Word }) => `Row ${row}`,
    noChange: 'No change',
    changes: ({ count }: { count: number }) =>
      formatPlural(count, `${formatNumber(count)} payout will change.`, `${formatNumber(count)} payouts will change.`),
    wrong: ({ count }: { count: number }) =>
      formatPlural(
        count,
        `${formatNumber(count)} row has a problem and is skipped.`,
        `${formatNumber(count)} rows have a problem and are skipped.`,
      ),
    apply: 'Apply',
    done: ({ count, became }: { count: number; became: Word }) =>
      formatPlural(
        count,
        `${formatNumber(count)} payout updated: ${became}`,
        `${formatNumber(count)} payouts updated: ${became}`,
      ),
    became: ({ count, status }: { count: number; status: Word }) => `${formatNumber(count)} ${status}`,
  },

  reconciliation: {
    banner: 'Payouts are paused: this database may be an older copy.',
    compare: 'Compare transfers',
    paused: ({ at }: { at: Word }) =>
      `Payouts have been paused since ${at}, and outgoing webhooks may be too. This database may be an older copy that’s missing payouts sent since.`,
    byHand:
      'Payouts made by file or manually since the copy aren’t listed here. Mark them as paid again before you resume payouts.',
    notPaused: 'Payouts aren’t paused. There’s nothing to compare.',
    reading: 'Reading transfers from the last 90 days…',
    problem: ({ reason }: { reason: Word }) => `The transfers can’t be read: ${reason}`,
    same: ({ count }: { count: number }) =>
      formatPlural(
        count,
        `${formatNumber(count)} transfer from the last 90 days matches the ledger.`,
        `${formatNumber(count)} transfers from the last 90 days match the ledger.`,
        'No transfers from the last 90 days match the ledger.',
      ),
    readAgain: 'Read again',
    resume: 'Resume payouts',
    resumed: 'Payouts resumed',
    password: 'Once payouts resume, money can be sent again.',
    unknown: 'Transfers missing from the ledger',
    unknownWhy:
      'These transfers were made but are missing here. Record the ones that paid a partner, so they aren’t paid again.',
    line: ({ name, amount }: { name: Word; amount: Word }) => `${name}, ${amount}`,
    number: ({ id }: { id: Word }) => `transfer ${id}`,
    to: ({ name }: { name: Word }) => `to ${name}`,
    decision: ({ name }: { name: Word }) => `Decision for ${name}`,
    choose: 'Choose',
    record: 'Record as a payout',
    dismiss: 'Not one of our payouts',
    partner: ({ name }: { name: Word }) => `Partner paid by ${name}`,
    others: 'Other differences',
    there: 'At the provider',
    here: 'In Tributary',
    findings: {
      same: 'Match',
      ahead: 'Will be updated when payouts resume',
      unknown: 'Needs a decision',
      missing: 'Not found at the provider',
      dismissed: 'No money was sent',
    },
  },

  review: {
    open: 'Review payouts',
    heading: 'Approve payouts',
    one: 'Approve payout',
    toPartners: 'To partners',
    withVat: 'With VAT',
    fees: 'Fees, estimated',
    changed: ({ name }: { name: Word }) => `Payout details for ${name} changed`,
    lowBalance: ({ amount }: { amount: Word }) => `Your Wise balance is too low: ${amount} needed.`,
    genuine: ({ reason }: { reason: Word }) =>
      `${toClause(reason)}. Approve only if you’re sure the change is genuine.`,
    leftOut: ({ count }: { count: number }) => `Excluded: ${formatNumber(count)}`,
    include: ({ name }: { name: Word }) => `Include ${name}`,
    confirmPassword: 'Confirm your password to include payouts above your limits.',
    confirm: 'Confirm password',
    approve: ({ count }: { count: number }) =>
      formatPlural(count, `Approve ${formatNumber(count)} payout`, `Approve ${formatNumber(count)} payouts`),
    byWise: 'Paid out by Wise, 1 business day',
    byPaypal: 'Paid out by PayPal',
    byFile: 'You pay by a payment file',
    byCredit: 'Added as credit at the payment provider',
    byUnits: 'Your system grants units',
    byHand: 'You pay manually, then mark as paid',
    done: ({ count, amount, next }: { count: number; amount: Word; next: Word }) =>
      formatPlural(
        count,
        `${formatNumber(count)} payout approved, ${amount}. Next: ${next}.`,
        `${formatNumber(count)} payouts approved, ${amount}. Next: ${next}.`,
      ),
    refused: ({ count }: { count: number }) =>
      formatPlural(
        count,
        `${formatNumber(count)} payout was not approved. See why below.`,
        `${formatNumber(count)} payouts were not approved. See why below.`,
      ),
    others: ({ count, most }: { count: number; most: Word }) =>
      formatPlural(
        count,
        `You can approve up to ${most} at once. The other one stays selected.`,
        `You can approve up to ${most} at once. The other ${formatNumber(count)} stay selected.`,
      ),
    unknown: 'This payout no longer exists.',
    none: 'None of these can be approved right now.',
  },

  actions: {
    approve: 'Approve payout',
    retry: 'Retry payout',
    cancel: 'Cancel payout',
    markPaid: 'Mark as paid',
  },

  markPaid: {
    text: ({ amount, name }: { amount: Word; name: Word }) =>
      `Record that ${amount} for ${name} was paid another way. This can’t be undone.`,
    referenceHelp: 'The bank transfer or check number.',
    done: ({ number }: { number: Word }) => `${number} marked as paid`,
    textMany: ({ count, amount }: { count: number; amount: Word }) =>
      formatPlural(
        count,
        `Record that ${formatNumber(count)} payout, ${amount}, was paid another way. This can’t be undone.`,
        `Record that ${formatNumber(count)} payouts, ${amount} in total, were paid another way. This can’t be undone.`,
      ),
    references: 'References',
    referencesHelp:
      'A line per payout, typed or from a CSV file: PO-12, Wire 4471. Payouts without a line get the reference above.',
    badLine: ({ line }: { line: Word }) => `No selected payout and reference in this line: ${line}`,
    lineAgain: ({ line }: { line: Word }) => `An earlier line has a reference for this payout already: ${line}`,
    textInFile: ({ amount, name }: { amount: Word; name: Word }) =>
      `Record that ${amount} for ${name} was paid. This can’t be undone.`,
    inFile: ({ number, file, name }: { number: Word; file: Word; name: Word }) =>
      `${number} is in payment file ${file}. If the bank also runs this file, ${name} is paid twice.`,
    alsoApprove: ({ name, year }: { name: Word; year: Word }) => `Also approve ${name} for payouts in ${year}`,
    inFileLegend: 'How was it paid?',
    inFileFirst: 'Choose how it was paid first.',
    byFile: ({ file }: { file: Word }) => `The bank paid it from file ${file}`,
    byFiles: 'The bank paid them from these files',
    removed: 'I paid it another way and took it out of the file at the bank',
    removedMany: 'I paid them another way and took them out of the files at the bank',
    someInFiles: ({ count }: { count: number }) =>
      formatPlural(
        count,
        `${formatNumber(count)} of these is in a payment file.`,
        `${formatNumber(count)} of these are in payment files.`,
      ),
    leftInFile: 'This payout was canceled here. Record it only if its file was paid anyway.',
  },

  cancel: {
    text: ({ amount, name }: { amount: Word; name: Word }) =>
      `${amount} for ${name} will be due again and included in a new payout.`,
    inBatch: 'This payout is in a Wise batch file. Remove it there first, or it will be paid twice.',
    inFile: 'If this payout is in a file that your bank has, cancel it there first, or it will be paid twice.',
    atWise: 'The pending transfer in Wise is canceled first.',
    keep: 'Keep payout',
    done: ({ number }: { number: Word }) => `${number} canceled`,
  },

  retry: {
    text: ({ amount, name, provider }: { amount: Word; name: Word; provider: Word }) =>
      `${provider} will send ${amount} to ${name} again as a new attempt.`,
    funding: ({ amount, name, provider }: { amount: Word; name: Word; provider: Word }) =>
      `${provider} will try again to pay ${amount} to ${name} from your balance.`,
    done: ({ number }: { number: Word }) => `Retrying ${number}`,
  },

  attempts: {
    created: 'Started',
    quoted: 'Quoted',
    'recipient-known': 'Recipient confirmed',
    transferring: 'Creating the transfer',
    rejected: 'Rejected',
    abandoned: 'Abandoned',
    incoming_payment_waiting: 'Waiting for money',
    incoming_payment_initiated: 'Money on its way',
    processing: 'Processing',
    funds_converted: 'Converted',
    outgoing_payment_sent: 'Sent',
    bounced_back: 'Bounced back',
    cancelled: 'Canceled',
    funds_refunded: 'Refunded',
    charged_back: 'Charged back',
    unsure: 'Unknown',
    decided: 'Decided manually',
    PENDING: 'Pending',
    PROCESSING: 'Processing',
    ONHOLD: 'Under review',
    SUCCESS: 'Paid',
    UNCLAIMED: 'Not claimed yet',
    DENIED: 'Denied',
    FAILED: 'Failed',
    BLOCKED: 'Blocked',
    RETURNED: 'Returned',
    REFUNDED: 'Refunded',
    REVERSED: 'Reversed',
  },
})
