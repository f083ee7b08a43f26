import { z } from 'zod'
import { ApplicationDecisions, applicationFlags, NewApplication, ProgramChange } from '#contract/applications.ts'
import { declareTables, emptyColumns, LOGIN, NAME, placeEverywhere } from '../../platform/database/declare-tables.ts'
import { isErasedSql } from '../../platform/database/erased-rows.ts'
import { callFields, Network } from '../../platform/database/shapes.ts'
import { sql } from '../../platform/database/sql.ts'

declareTables({
  programs: {
    columns: `account_id state slug headline text rules questions auto_approve reapply_after_days indexed created_at
      updated_at translations`,
    exported: {
      // the address is claimed afterwards if it is free
      order: 'account_id',
      shapes: { ...callFields(ProgramChange, 'slug headline text rules questions translations') },
    },
  },
  program_slugs: {
    columns: 'slug account_id created_at',
    place: placeEverywhere('found by a name that no two accounts may have'),
    exported: NAME,
  },
  applications: {
    subject: 'application',
    columns: `id account_id status flags parent_partner_id parent_problem group_id reason answered_at confirmed_at
      decided_at decided_by partner_id created_at updated_at agreement_version language agreement_language`,
    personal: [
      emptyColumns('partner', 'first_name last_name email message network_hash email_hash agreement_network'),
      emptyColumns('partner', 'answers', `'[]'`),
    ],
    exported: {
      stays: { [LOGIN]: ['decided_by'] },
      shapes: {
        ...callFields(NewApplication, 'firstName lastName email answers language'),
        agreement_language: NewApplication.shape.language,
        ...callFields(ApplicationDecisions, 'reason message'),
        flags: z.array(z.enum(applicationFlags)).max(10),
        agreement_network: Network,
      },
    },
    erased: {
      partner({ partnerId, search }) {
        const ofPartner = sql`t.partner_id = ${partnerId}`
        return { which: sql`(${ofPartner} or t.email = any(${search.values}))` }
      },
    },
    ofErased: { partner: isErasedSql('partner', 't.partner_id') },
  },
})
