import { NewLinkBlueprint, NewPartnerLink } from '#contract/links.ts'
import { declareTables, emptyColumns, placeEverywhere } from '../../platform/database/declare-tables.ts'
import { callFields, Host, rates } from '../../platform/database/shapes.ts'
import { sql } from '../../platform/database/sql.ts'

declareTables({
  link_blueprints: {
    columns: `id account_id key name destination_url domain parameter_name utm cookie_days attribution_model
      passthrough_query layer_rates_ppm enabled archived_at created_at updated_at more_domains partner_links`,
    place: placeEverywhere('found by a key that no two accounts may have'),
    exported: {
      shapes: {
        ...callFields(NewLinkBlueprint, 'name destinationUrl parameterName utm moreDomains'),
        ...rates,
        domain: Host,
      },
    },
  },
  partner_links: {
    columns: 'id account_id partner_id blueprint_id key destination_url domain archived_at created_at updated_at',
    personal: [emptyColumns('partner', 'name', `'Link'`), emptyColumns('partner', 'sub_id')],
    place: placeEverywhere('found by a key that no two accounts may have, like the links they belong to'),
    exported: {
      names: { partner_id: ['partners'], blueprint_id: ['link_blueprints'] },
      shapes: { ...callFields(NewPartnerLink, 'name destinationUrl subId'), domain: Host },
    },
    erased: {
      partner({ partnerId }) {
        const ofPartner = sql`t.partner_id = ${partnerId}`
        return { which: ofPartner }
      },
    },
    // on every machine, so it can't ask for its account's rows by itself
    ofErased: {
      partner: sql`(t.account_id, t.partner_id) in (select account_id, id from partners where erased_at is not null)`,
    },
  },
})
