import { AccountChange, PartnerVisibility } from '#contract/accounts.ts'
import { FraudRulesChange } from '#contract/fraud.ts'
import { BrandChange } from '#contract/portal.ts'
import { Reason } from '#contract/values.ts'
import { declareTables, LOGIN, MACHINE, NAME, placeEverywhere } from '../../platform/database/declare-tables.ts'
import { callFields, PublicId, rates } from '../../platform/database/shapes.ts'
import { sql } from '../../platform/database/sql.ts'

declareTables({
  accounts: {
    columns: `id name public_id default_currency layer_rates_ppm invitations_from_partners partner_lead_submission
      partner_visibility payout_delay minimum_payout time_zone lead_protection_days attribution_model
      recurring_months self_referral_policy owner_id disabled_at disabled_reason created_at updated_at
      attribution_order require_second_factor raw_data_days idle_lead_months payee_years frame_hosts accent
      portal_host paydays fraud_rules old_link_parameters born_in returning_customers language page_languages has_customer_groups`,
    place: placeEverywhere('read beside the rows of every account, and found by a public id'),
    exported: {
      stays: { [LOGIN]: ['owner_id'], [NAME]: ['portal_host'], [MACHINE]: ['born_in'] },
      // names given elsewhere since the export are unknown
      arrives: () => ({ born_in: sql`null` }),
      scope: (accountId) => sql`t.id = ${accountId}`,
      shapes: {
        ...callFields(AccountChange, 'name defaultCurrency timeZone oldLinkParameters paydays language pageLanguages'),
        ...callFields(BrandChange, 'frameHosts'),
        ...rates,
        public_id: PublicId,
        partner_visibility: PartnerVisibility,
        fraud_rules: FraudRulesChange,
        disabled_reason: Reason,
      },
    },
  },
})
