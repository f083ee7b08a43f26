import { NewLead } from '#contract/leads.ts'
import { AttributionModel } from '#contract/values.ts'
import { declareTables, emptyColumns } from '../../platform/database/declare-tables.ts'
import { hasId, isErasedSql } from '../../platform/database/erased-rows.ts'
import {
  anyText,
  CountryCode,
  callFields,
  eachColumn,
  LeadCredits,
  LeadOrigin,
  Page,
} from '../../platform/database/shapes.ts'
import { sql } from '../../platform/database/sql.ts'

declareTables({
  leads: {
    columns: `id account_id partner_id blueprint_id click_id link_id source status protected_until duplicate_of_id
      attribution_model matched_by attributed_at last_seen_at created_on created_at updated_at country
      first_qualified_at first_won_at erased_at`,
    personal: [
      emptyColumns(
        'lead',
        `first_name last_name email phone phone_e164 company external_id status_reason status_note
        shared_note landing_url referrer sub_id origin`,
      ),
      emptyColumns('lead', 'metadata', `'{}'`),
      emptyColumns('lead', 'credit', 'without_facts(t.credit)'),
    ],
    exported: {
      names: { click_id: ['clicks'], link_id: ['partner_links'] },
      after: 'duplicate_of_id',
      shapes: {
        ...callFields(NewLead, 'email externalId metadata'),
        ...eachColumn(
          anyText(),
          'first_name last_name phone phone_e164 company status_reason status_note shared_note referrer sub_id',
        ),
        landing_url: Page,
        attribution_model: AttributionModel,
        country: CountryCode,
        credit: LeadCredits,
        origin: LeadOrigin,
      },
    },
    erased: { lead: ({ leadIds }) => ({ which: hasId('t.id', leadIds) }) },
    ofErased: { lead: sql`t.erased_at is not null` },
  },
  lead_submissions: {
    columns: 'id account_id lead_id source created_at client_id joins_client_id corrects',
    personal: [emptyColumns('lead', 'body', `'{}'`)],
    exported: { shapes: { body: anyText(20_000) } },
    erased: { lead: ({ leadIds }) => ({ which: hasId('t.lead_id', leadIds) }) },
    ofErased: { lead: isErasedSql('lead', 't.lead_id') },
  },
})
