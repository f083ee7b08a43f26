import { z } from 'zod'
import { PartnerChange, TaxForm, taxFormSources } from '#contract/partners.ts'
import { Email } from '#contract/values.ts'
import { declareTables, deleteRow, emptyColumns, LOGIN, splitNames } from '../../platform/database/declare-tables.ts'
import { anyText, callFields, eachColumn, rates } from '../../platform/database/shapes.ts'
import { sql } from '../../platform/database/sql.ts'

declareTables({
  partners: {
    columns: `id account_id parent_partner_id user_id layer_rates_ppm approved_payout_years payout_method state
      invited_by_partner_id created_on created_at updated_at paused group_id keep_in_group erased_at
      shows_first_name language`,
    personal: [
      emptyColumns('partner', 'note state_reason tax_form external_id'),
      emptyColumns('partner', 'void_reason', `case when t.void_reason is not null then 'Erased' end`),
      emptyColumns('partner', 'first_name', `'Erased partner'`),
      emptyColumns('partner', 'last_name', 'right(t.id::text, 4)'),
      emptyColumns('partner', 'email', `'erased-' || t.id || '@erased.invalid'`),
      // a trigger makes it a random one
      emptyColumns(
        'partner',
        'referral_code',
        `case when t.referral_code ~ '^erased-[0-9a-f]{24}$' then t.referral_code else 'erased' end`,
      ),
    ],
    exported: {
      first:
        splitNames(`id parent_partner_id first_name last_name email referral_code layer_rates_ppm approved_payout_years
      payout_method state paused state_reason void_reason tax_form note`),
      stays: { [LOGIN]: ['user_id'] },
      // a signed form stays behind: its partner signs another, as the account holds none
      arrives: () => ({
        tax_form: sql`case when r.tax_form ->> 'source' is distinct from 'partner' then r.tax_form end`,
      }),
      names: { invited_by_partner_id: ['partners'] },
      after: 'parent_partner_id',
      shapes: {
        ...callFields(PartnerChange, 'firstName lastName email note externalId approvedPayoutYears language'),
        ...rates,
        ...eachColumn(anyText(), 'state_reason void_reason'),
        tax_form: TaxForm.extend({ source: z.enum(taxFormSources).optional() }),
      },
    },
    erased: { partner: ({ partnerId }) => ({ which: sql`t.id = ${partnerId}` }) },
    ofErased: { partner: sql`t.erased_at is not null` },
  },
  referral_codes: {
    columns: 'account_id partner_id created_at',
    personal: [deleteRow('partner', 'code')],
    exported: { order: 'code collate "C"', shapes: { code: anyText(100) } },
  },
  former_emails: {
    columns: 'partner_id until account_id',
    personal: [deleteRow('partner', 'email')],
    exported: { order: 'partner_id, until, email collate "C"', shapes: { email: Email } },
  },
})
