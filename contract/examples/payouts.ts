import { bothNames } from '../former-names.ts'
import type { Rooms } from '../index.ts'
import type { PayoutForm } from '../payout-form.ts'
import type { PayoutReconciliation } from '../payout-reconciliation.ts'
import type { PayoutMethods } from '../payout-settings.ts'
import type { ExamplesOf } from './example.ts'
import { entryWithSale, ids, onlyPage, payout, wiseProfileId } from './objects.ts'

const approved = {
  ...payout,
  status: 'approved',
  approvedAt: '2026-08-26T09:15:00.250Z',
  approvedBy: 'Elena Marsh',
} as const
const paid = {
  ...approved,
  status: 'paid',
  method: 'manual',
  paidAt: '2026-08-26T09:20:00.000Z',
  paidOn: '2026-08-26',
  externalReference: 'Wire 4471',
} as const

const howPaid = ['Commissions are due 30 days after the sale.', 'Payouts go to a bank account in most countries.']

const depositInfo = {
  legalType: 'PRIVATE',
  name: 'Jane Whitfield',
  routingNumber: '021000021',
  accountNumber: '000123456789',
  accountType: 'CHECKING',
  address: { country: 'us', state: 'ny', city: 'New York', addressLine: '1 Broad Street', zipCode: '10004' },
} as const
const payoutSettings = {
  enabled: true,
  depositInfo: { ...depositInfo, routingNumber: '•••••0021', accountNumber: '•••••6789' },
  method: 'wise' as const,
  country: 'US',
  currency: 'usd',
  updatedAt: '2026-07-20T14:58:03.619Z',
  formOnFile: true,
  nameCheck: null,
}

const plainField = { required: true, minLength: null, maxLength: null, example: null, options: [], refresh: false }
const payoutForm: PayoutForm = {
  kinds: ['us-bank', 'iban', 'local-bank'],
  countries: [
    { code: 'DE', name: 'Germany', currency: 'eur' },
    { code: 'MX', name: 'Mexico', currency: 'mxn' },
    { code: 'US', name: 'United States', currency: 'usd' },
  ],
  types: [
    {
      type: 'mexican',
      title: 'Local bank account',
      fields: [
        {
          ...plainField,
          key: 'legalType',
          label: 'Recipient type',
          input: 'select',
          options: [
            { value: 'PRIVATE', label: 'Person' },
            { value: 'BUSINESS', label: 'Business' },
          ],
        },
        {
          ...plainField,
          key: 'accountHolderName',
          label: 'Full name of the account holder',
          input: 'text',
          minLength: 2,
          maxLength: 140,
        },
        { ...plainField, key: 'clabe', label: 'Clabe', input: 'text', minLength: 18, maxLength: 18 },
      ],
    },
  ],
}
const localBank = {
  kind: 'local-bank',
  country: 'MX',
  currency: 'mxn',
  type: 'mexican',
  fields: { legalType: 'PRIVATE', accountHolderName: 'Ana Reyes', clabe: '032180000118359719' },
} as const

const balance = {
  partnerId: ids.partner,
  partnerName: 'Jane Whitfield',
  currency: 'usd',
  held: 0,
  due: 79_84,
  onHold: 0,
  inPayout: 0,
  paid: 798_36,
  nextPayoutDate: '2026-08-27',
  paydays: [{ date: '2026-08-27', amount: 79_84 }],
  dueSince: '2026-08-03',
  blockers: [],
}

const wiseProfile = { id: wiseProfileId, type: 'BUSINESS', fullName: null, businessName: 'Acme Inc.' }
const payoutMethods: PayoutMethods = {
  methods: [
    {
      name: 'wise',
      on: true,
      ready: true,
      automatic: true,
      pays: ['us-bank', 'iban', 'local-bank'],
      hint: '•••••4c9e',
      booking: null,
      trouble: null,
    },
    {
      name: 'sepa',
      on: false,
      ready: false,
      automatic: false,
      pays: ['iban'],
      hint: null,
      booking: null,
      trouble: null,
    },
    {
      name: 'manual',
      on: true,
      ready: true,
      automatic: false,
      pays: ['us-bank', 'iban', 'local-bank', 'paypal'],
      hint: null,
      booking: null,
      trouble: null,
    },
  ],
  kinds: ['us-bank', 'iban', 'local-bank'],
}
const autoPayoutSettings = {
  enabled: true,
  wiseProfile,
  wiseProfilesAvailable: [wiseProfile],
  wiseTokenHint: '4c9e',
  wiseError: null,
  maxPerPayout: 2000_00,
  approvalsAboveCeiling: 1 as const,
  pendingChange: null,
  maxPerRun: 20_000_00,
}

const noReconciliation: PayoutReconciliation = {
  pausedAt: null,
  readAt: null,
  problem: null,
  currency: 'usd',
  webhooksPaused: false,
  counts: { same: 0, ahead: 0, unknown: 0, missing: 0, dismissed: 0 },
  transfers: [],
}
const pausedReconciliation: PayoutReconciliation = {
  ...noReconciliation,
  pausedAt: '2026-08-26T09:15:00.250Z',
  webhooksPaused: true,
  readAt: '2026-08-26T09:16:10.000Z',
  counts: { same: 41, ahead: 0, unknown: 1, missing: 0, dismissed: 0 },
  transfers: [
    {
      transferId: '16521632',
      reference: 'PO-1061',
      amount: 79_84,
      madeAt: '2026-08-25T06:00:12.000Z',
      state: 'outgoing_payment_sent',
      ...bothNames('recordedState', null),
      finding: 'unknown',
      payoutId: ids.payout,
      statementNumber: payout.statementNumber,
      payoutStatus: 'due',
      partnerId: ids.partner,
      partnerName: payout.partnerName,
    },
  ],
}

export const payouts: ExamplesOf<Rooms['payouts']> = {
  listPayouts: {
    query: { status: 'due,failed', attention: 'approve,retry', sort: '-amount' },
    reply: { ...onlyPage(payout), totals: { count: 1, amount: payout.amount, currency: 'usd' } },
  },
  listPartnerPayouts: { query: { partnerId: ids.partner }, reply: onlyPage(payout) },
  getPayout: { reply: payout },
  listCommissions: {
    query: { status: 'held,due', layer: '0', from: '2026-07-01', to: '2026-07-31' },
    reply: {
      ...onlyPage(entryWithSale),
      totals: { count: 1, amount: 99_80, held: 99_80, due: 0, inPayout: 0, paid: 0 },
    },
  },
  listPayoutEntries: {
    reply: onlyPage({ ...entryWithSale, status: 'in-payout', payoutId: ids.payout }),
  },
  getPayoutStatement: {
    refused: ['media_type_not_offered'],
    query: { paper: 'a4' },
    reply: {
      payout,
      accountName: 'Acme Inc.',
      timeZone: 'America/New_York',
      destination: null,
      numberOfEntries: 1,
      sums: [{ kind: 'earned', count: 1, amount: payout.amount }],
    },
  },
  refreshPayouts: { body: { gatherOnly: false }, reply: { due: 1, blocked: 0 } },
  approvePayout: {
    refused: [
      'partner_payout_details_unreadable',
      'pay_too_new',
      'payout_above_limit',
      'payout_blocked',
      'payout_changed',
      'payout_not_approvable',
      'payouts_paused',
      'second_person_needed',
    ],
    body: { amount: payout.amount },
    reply: approved,
  },
  cancelPayout: {
    refused: ['payout_not_cancelable', 'payout_not_canceled_yet'],
    reply: { ...payout, status: 'canceled' },
  },
  retryPayout: {
    refused: ['payout_blocked', 'payout_carrier_gone', 'payout_not_retriable', 'payouts_paused'],
    reply: approved,
  },
  markPayoutPaid: {
    refused: [
      'day_in_future',
      'field_not_for_keys',
      'paid_day_wrong',
      'pay_too_new',
      'payout_blocked',
      'payout_changed',
      'payout_in_payment_file',
      'payout_not_in_payment_file',
      'payout_not_markable',
      'second_person_needed',
    ],
    body: { reference: 'Wire 4471', paidAt: '2026-08-26', amount: payout.amount },
    reply: paid,
  },
  markPayoutsPaid: {
    refused: ['day_in_future', 'paid_day_wrong'],
    body: { ids: [ids.payout], reference: 'Wire 4471', paidAt: '2026-08-26' },
    reply: { results: [{ id: ids.payout, status: 'paid', error: null }] },
  },
  approvePayouts: {
    refused: ['run_above_limit'],
    body: { ids: [ids.payout] },
    reply: { results: [{ id: ids.payout, status: 'approved', error: null }] },
  },
  getPayoutTotals: {
    reply: {
      currency: 'usd',
      owed: { amount: 421_24, count: 2 },
      due: { amount: 91_84, count: 2 },
      ready: { amount: 79_84, count: 1 },
      blocked: { amount: 12_00, count: 1 },
      awaitingFunding: { amount: 0, count: 0 },
      inPayout: { amount: 0, count: 0 },
      overpaid: { amount: 0, count: 0 },
      notYetDue: { amount: 329_40, count: 2 },
      held: { amount: 312_40, count: 2 },
      onHold: { amount: 17_00, count: 1 },
      beingReturned: { amount: 0, count: 0 },
      dueNow: { amount: 79_84, count: 1 },
      paidThisYear: { amount: 798_36, count: 3 },
      unapproved: { amount: 79_84, count: 1 },
      needsAction: { amount: 79_84, count: 1 },
      paid: { amount: 1_204_10, count: 5 },
      feeEstimate: 1_13,
    },
  },
  getPartnerForecast: {
    reply: {
      currency: 'usd',
      days: [
        { date: '2026-08-27', amount: 79_84, count: 2, destination: '6789' },
        { date: '2026-09-14', amount: 312_40, count: 7, destination: '6789' },
      ],
      blocked: { amount: 0, count: 0 },
      howPaid,
    },
  },
  getPayoutForecast: {
    reply: {
      currency: 'usd',
      days: [
        { date: '2026-08-27', amount: 1017_60, count: 6 },
        { date: '2026-09-14', amount: 312_40, count: 1 },
      ],
      blocked: { amount: 921_00, count: 2 },
      howPaid,
    },
  },
  getPayoutAttention: {
    reply: {
      items: [
        {
          kind: 'approve',
          message: '1 payout is ready to approve',
          count: 1,
          amount: 79_84,
          method: null,
          fileId: null,
          fileNumber: null,
          partnerIds: [ids.partner],
        },
      ],
    },
  },
  remindPartner: {
    refused: [
      'invitation_accepted',
      'invitation_is_revoked',
      'just_sent',
      'partner_is_archived',
      'partner_is_suspended',
      'partner_not_invited',
      'partner_not_joined',
      'payout_details_given',
      'reminded_this_week',
    ],
    body: { kind: 'payout-settings' },
    reply: { kind: 'payout-settings', nextAt: '2026-09-02T09:15:00.250Z', mailed: true },
  },
  getPayoutReconciliation: { reply: pausedReconciliation },
  startPayoutReconciliation: {
    refused: ['payouts_not_paused'],
    reply: { ...pausedReconciliation, readAt: null, counts: noReconciliation.counts, transfers: [] },
  },
  confirmPayoutReconciliation: {
    refused: [
      'payouts_not_paused',
      'resuming_payouts',
      'transfer_decided',
      'transfer_needs_partner',
      'transfer_without_amount',
      'transfers_not_read',
    ],
    body: { decisions: [{ transferId: '16521632', action: 'record', partnerId: ids.partner }] },
    reply: noReconciliation,
  },
  downloadPayouts: {
    refused: [
      'batch_by_person',
      'batch_changed',
      'batch_columns',
      'batch_empty',
      'batch_not_ready',
      'payouts_unread',
      'second_person_needed',
      'payouts_paused',
      'payout_above_limit',
      'run_above_limit',
      'wise_not_connected',
      'wise_refuses',
    ],
  },
  getPayoutSettings: { refused: ['payout_details_unreadable'], reply: payoutSettings },
  savePayoutSettings: {
    refused: [
      'currency_not_paid_there',
      'iban_wrong',
      'kind_not_offered',
      'not_a_sepa_country',
      'payout_country_unknown',
      'payout_details_refused',
      'payout_details_unchecked',
      'payout_form_unclear',
      'payout_type_unknown',
      'replacing_payout_details',
    ],
    body: depositInfo,
    reply: payoutSettings,
  },
  getPayoutForm: {
    query: { kind: 'local-bank', country: 'MX' },
    refused: [
      'currency_not_paid_there',
      'kind_not_offered',
      'not_a_sepa_country',
      'payout_country_unknown',
      'payout_details_unchecked',
      'payout_form_unclear',
    ],
    reply: payoutForm,
  },
  previewPayoutForm: {
    refused: [
      'currency_not_paid_there',
      'kind_not_offered',
      'payout_country_unknown',
      'payout_details_refused',
      'payout_details_unchecked',
      'payout_form_unclear',
    ],
    body: localBank,
    reply: payoutForm,
  },
  deletePayoutSettings: { refused: ['removing_payout_details'] },
  getBalance: { reply: balance },
  listBalances: {
    query: { each: 'payday', empty: 'false', sort: 'nextPayoutDate' },
    reply: {
      ...onlyPage({ ...balance, payday: '2026-08-27', amount: 79_84 }),
      totals: {
        count: 1,
        held: 0,
        due: 79_84,
        onHold: 0,
        currency: 'usd',
        blocked: { amount: 0, count: 0 },
        nextYear: { amount: 0, count: 0 },
        paydays: [{ date: '2026-08-27', amount: 79_84, count: 1 }],
      },
    },
  },
  getAutoPayoutSettings: { reply: autoPayoutSettings },
  changeAutoPayoutSettings: {
    refused: [
      'ceiling_missing',
      'loosening_payouts',
      'second_person_missing',
      'wise_away',
      'wise_not_served',
      'wise_profile_missing',
      'wise_profile_out_of_reach',
      'wise_token_missing',
      'wise_token_needed',
      'wise_token_refused',
    ],
    body: { enabled: true, wiseProfileId: wiseProfile.id, maxPerPayout: 2000_00, maxPerRun: 20_000_00 },
    reply: autoPayoutSettings,
  },
  getPayoutMethods: { reply: payoutMethods },
  reorderPayoutMethods: { refused: ['order_incomplete'], body: { order: ['wise'] }, reply: payoutMethods },
  saveSepaMethod: {
    refused: ['changing_payout_methods', 'iban_wrong', 'method_needs_euro', 'not_a_sepa_country'],
    body: {
      name: 'Acme GmbH',
      iban: 'DE89 3704 0044 0532 0130 00',
      address: { country: 'DE', city: 'Köln', addressLine: 'Domstraße 1', zipCode: '50668' },
      booking: 'batch',
    },
    reply: payoutMethods,
  },
  removeSepaMethod: { refused: ['changing_payout_methods'] },
  savePayPalMethod: {
    refused: [
      'changing_payout_methods',
      'credentials_refused',
      'credentials_missing',
      'method_lacks_currency',
      'provider_away',
    ],
    body: { clientId: 'AX3b7d9f5k2m8', clientSecret: 'EK4c8e0g6l3n9', automatic: true },
    reply: payoutMethods,
  },
  removePayPalMethod: { refused: ['changing_payout_methods'] },
  listWiseProfiles: {
    refused: ['wise_away', 'wise_not_served', 'wise_token_not_sent', 'wise_token_rejected'],
    reply: { items: [wiseProfile] },
  },
}
