import { z } from 'zod'
import { detailKinds } from '#contract/detail-kinds.ts'
import { GroupReward } from '#contract/groups.ts'
import { payoutMethods } from '#contract/payouts.ts'
import { Currency } from '#contract/values.ts'
import {
  BANK,
  declareTables,
  deleteRow,
  emptyColumns,
  LOGIN,
  MACHINE,
  removeWithRecords,
  SECRET,
  splitNames,
} from '../../platform/database/declare-tables.ts'
import { hasId, isErasedSql } from '../../platform/database/erased-rows.ts'
import { anyText, CountryCode, currency, eachColumn, invoiceTerms, Memo } from '../../platform/database/shapes.ts'
import { sql } from '../../platform/database/sql.ts'

declareTables({
  payout_accounts: {
    columns: `account_id enabled trouble trouble_kind max_per_payout max_per_run last_statement_number last_run_on
      due_told_until updated_at method trouble_with methods numbered_in file_numbers_after`,
    exported: {
      first: splitNames('enabled method'),
      stays: { [MACHINE]: ['trouble', 'trouble_kind', 'trouble_with', 'methods', 'numbered_in'] },
      order: 'account_id',
      // no payouts before the owner has connected a payout method here
      arrives: () => ({ enabled: sql`false`, method: sql`case when r.method = 'csv' then 'csv' else 'manual' end` }),
    },
  },
  payout_limits: {
    columns: 'account_id in_force_at max_per_payout approvals saved_at',
    exported: { order: 'in_force_at' },
  },
  payouts: {
    columns: `id account_id partner_id statement_number status amount currency method period_start period_end
      details_version approved_by approved_at sent_at paid_at external_reference stop_reason fund_again
      checked_at lease_id leased_until created_at updated_at looks_refused look_after paid_on payee_kind payee_country
      payee_currency tax_amount pay_amount invoice_terms was_void reward`,
    personal: [removeWithRecords('partner', 'details_sealed payee_hint'), emptyColumns('partner', 'failure_reason')],
    exported: {
      first:
        splitNames(`id partner_id statement_number status amount currency method period_start period_end details_version
      approved_at sent_at paid_at paid_on`),
      stays: {
        [LOGIN]: ['approved_by'],
        [MACHINE]: splitNames('fund_again checked_at lease_id leased_until looks_refused look_after'),
        [BANK]: ['payee_hint'],
      },
      shapes: {
        ...currency,
        ...eachColumn(anyText(), 'failure_reason external_reference'),
        payee_kind: z.enum(detailKinds),
        payee_country: CountryCode,
        payee_currency: Currency,
        ...invoiceTerms,
        reward: GroupReward,
      },
    },
    erased: {
      partner({ partnerId }) {
        const ofPartner = sql`t.partner_id = ${partnerId}`
        return { which: ofPartner }
      },
    },
    ofErased: { partner: isErasedSql('partner', 't.partner_id') },
  },
  payout_entries: {
    columns: 'payout_id entry_id account_id live approved_at',
    exported: { order: 'payout_id, entry_id', together: 'payout_id' },
  },
  payout_cash: {
    columns: 'account_id payout_id partner_id turn kind amount tax_amount at fee invoice_terms',
    exported: { order: 'payout_id, turn', shapes: { ...invoiceTerms } },
  },
  payout_attempts: {
    columns: `id payout_id number customer_transaction_id paid_from recipient_id quote_id quote_expires_at transfer_id
      state funded_at funding_problem fee rate at updated_at method details_version amount currency year
      announced_at stage account_id memo payee_amount payee_currency payment_number`,
    personal: [emptyColumns('partner', 'error')],
    exported: {
      first:
        splitNames(`id payout_id number customer_transaction_id paid_from recipient_id quote_id quote_expires_at transfer_id
      state stage funded_at funding_problem fee rate error method details_version amount currency year
      announced_at memo payee_amount payee_currency payment_number`),
      shapes: {
        ...eachColumn(anyText(), 'paid_from recipient_id quote_id transfer_id state error'),
        method: z.enum(payoutMethods),
        ...eachColumn(Currency, 'currency payee_currency'),
        memo: Memo,
      },
    },
    erased: { partner: ({ payoutIds }) => ({ which: hasId('t.payout_id', payoutIds) }) },
    ofErased: { partner: isErasedSql('partner', 't.payout_id') },
  },
  payout_approvals: {
    columns: 'id account_id payout_id user_id at amount entries details_version completed_at',
    exported: LOGIN,
  },
  payout_reconciliations: {
    columns: `account_id agreed_in paused_at whole_install reading_id read_at problem updated_at restored`,
    exported: MACHINE,
  },
  payout_settings: {
    columns: 'partner_id account_id version changed_at created_at updated_at kind country currency',
    personal: [emptyColumns('partner', 'details_sealed routing_last4 account_last4 rejected_reason hint details_hash')],
    exported: BANK,
    erased: {
      partner({ partnerId }) {
        const ofPartner = sql`t.partner_id = ${partnerId}`
        return { key: [['partner_id', 'uuid']], which: ofPartner }
      },
    },
    ofErased: { partner: isErasedSql('partner', 't.partner_id') },
  },
  method_secrets: {
    columns: 'account_id method settings_sealed hint automatic trouble trouble_kind updated_at paid_from next_call_at',
    exported: SECRET,
  },
  transfers_read: {
    columns: `account_id transfer_id reading_id paid_from transaction_id reference recipient_id quote_id amount state
      standing made_at decision method payment_number`,
    exported: MACHINE,
  },
  partner_reminders: { columns: 'account_id partner_id kind reminded_at', exported: 'mails of this install' },
  wise_accounts: {
    columns: 'account_id token_sealed token_hint profile profiles updated_at subscription_ids',
    exported: SECRET,
  },
  wise_batch_payouts: {
    columns: 'payout_id profile_id exported_at account_id amount tax_amount invoice_terms',
    personal: [removeWithRecords('partner', 'recipient_id')],
    exported: BANK,
  },
  partner_customers: {
    columns: 'account_id partner_id connection_id problem updated_at',
    personal: [deleteRow('partner', 'customer_id')],
    exported: BANK,
  },
  wise_recipients: {
    columns: 'partner_id details_version profile_id account_id',
    personal: [deleteRow('partner', 'recipient_id')],
    exported: BANK,
  },
})
