import type * as room from '../partners.ts'
import type { ExamplesOf } from './example.ts'
import { ids, invitedPartner, onlyPage, partner, subPartner } from './objects.ts'
import { unsuitedTerms } from './terms.ts'

/** Moves between groups that give other rewards. */
const betweenRewards = ['balance_not_zero', 'one_layer_only', 'partner_has_commissions', 'reward_moves_all'] as const

export const partners: ExamplesOf<typeof room> = {
  createPartner: {
    refused: [
      ...unsuitedTerms,
      'external_id_taken',
      'field_not_for_keys',
      'partner_email_taken',
      'referral_code_taken',
      'too_many_layers',
      'unknown_group',
      'unknown_partner',
    ],
    body: {
      firstName: 'Jane',
      lastName: 'Whitfield',
      email: partner.email,
      referralCode: partner.referralCode,
      earlierCodes: ['Jane_W'],
      commissionSettings: null,
      sendInvitation: true,
    },
    reply: invitedPartner,
  },
  upsertPartner: {
    refused: [
      ...betweenRewards,
      ...(['connection_ended', 'credit_right_missing', 'customer_taken', 'provider_away'] as const),
      ...(['group_is_not_for_customers', 'provider_has_no_credit'] as const),
      ...(['unknown_connection', 'unknown_customer'] as const),
      'field_not_for_keys',
      'partner_archived',
      'partner_email_taken',
      'referral_code_taken',
      'too_many_layers',
      'unknown_group',
      'unknown_partner',
    ],
    params: { externalId: 'user-4711' },
    body: { firstName: 'Jane', lastName: 'Whitfield', email: partner.email },
    reply: invitedPartner,
  },
  createPartners: {
    body: {
      partners: [{ firstName: 'Ada', lastName: 'Byron', email: 'ada@byron.example' }, { email: partner.email }],
      sendInvitation: false,
    },
    reply: {
      results: [
        { status: 201, id: ids.subPartner, error: null, invitationUrl: null },
        {
          status: 409,
          id: null,
          error: {
            code: 'duplicate',
            reason: 'partner_email_taken',
            message: 'A partner with this email already exists.',
            values: null,
            fields: { email: 'A partner with this email already exists' },
            details: { field: 'email', partnerId: ids.partner },
          },
          invitationUrl: null,
        },
      ],
    },
  },
  movePartners: {
    refused: ['unknown_group'],
    body: { partnerIds: [ids.partner, ids.subPartner], groupId: ids.group, appliesTo: 'new-customers' },
    reply: {
      results: [
        { status: 200, id: ids.partner, error: null },
        { status: 200, id: ids.subPartner, error: null },
      ],
    },
  },
  createSubPartner: {
    refused: [
      'one_layer_only',
      'daily_emails_sent',
      'erased',
      'only_owner_sets_more',
      'partner_email_taken',
      'partners_may_not_invite',
      'referral_code_taken',
      'too_many_layers',
      'unknown_group',
    ],
    body: { firstName: 'Sam', lastName: 'Ortiz', email: subPartner.email },
    reply: subPartner,
  },
  listPartners: { query: { state: 'active,invited', sort: '-salesRevenue' }, reply: onlyPage(partner, subPartner) },
  getPartnerTotals: {
    query: { state: 'active,invited' },
    reply: {
      count: 2,
      numberOfLeads: 38,
      numberOfSales: 12,
      salesRevenue: 14_210_00,
      salesRevenueShare: 2_842_00,
      balanceDue: 91_84,
      currency: 'usd',
    },
  },
  listSubPartners: {
    refused: ['only_owner_filters_by_approval', 'only_owner_sorts_by_revenue'],
    reply: onlyPage(subPartner),
  },
  getPartner: { reply: partner },
  changePartner: {
    refused: [
      ...betweenRewards,
      ...(['not_whole_units', 'units_are_amounts'] as const),
      'field_not_yours',
      'field_not_for_keys',
      'method_not_on',
      'external_id_fixed',
      'external_id_taken',
      'erased',
      'daily_emails_sent',
      'only_owner_changes_more',
      'only_owner_changes_partner',
      'partner_below_itself',
      'partner_email_taken',
      'partner_is_archived',
      'referral_code_taken',
      'too_many_layers',
      'unknown_group',
      'unknown_partner',
    ],
    body: {
      firstName: 'Jane',
      lastName: 'Whitfield',
      note: partner.note,
      approvedPayoutYears: [2026],
      taxForm: { kind: 'w-9', receivedOn: '2026-07-20' },
    },
    reply: partner,
  },
  deletePartner: { refused: ['erased', 'partner_has_activity'], params: { id: ids.subPartner } },
  archivePartner: {
    refused: ['erased', 'open_balance_changed', 'partner_already_archived'],
    body: { subPartners: 'move-up', balance: 'pay-out', reason: 'Has left the program' },
    reply: { ...partner, state: 'archived' },
  },
}
