import { mistakeInTerms, Terms, TermsChange } from '#contract/terms.ts'
import { declareTables, emptyColumns, MACHINE } from '../../platform/database/declare-tables.ts'
import { isErasedSql } from '../../platform/database/erased-rows.ts'
import { Author, callFields } from '../../platform/database/shapes.ts'
import { sql } from '../../platform/database/sql.ts'

declareTables({
  terms_log: {
    columns: `account_id number subject subject_id terms applies_to saved_at saved_by partner_id group_id
      tell_partners goal_id`,
    personal: [emptyColumns('partner', 'note')],
    exported: {
      order: 'number',
      stays: { [MACHINE]: ['tell_partners'] },
      names: {
        subject_id: ['groups', 'link_blueprints', 'partners'],
        partner_id: ['partners'],
        group_id: ['groups'],
        goal_id: ['goals'],
      },
      shapes: {
        ...callFields(TermsChange, 'note'),
        terms: Terms.refine((terms) => !mistakeInTerms(terms), 'These terms contradict themselves'),
        saved_by: Author,
      },
    },
    erased: {
      partner: ({ partnerId }) => ({
        key: [['number', 'integer']],
        which: sql`(t.subject = 'partner' and t.subject_id = ${partnerId})`,
      }),
    },
    ofErased: { partner: sql`(t.subject = 'partner' and ${isErasedSql('partner', 't.subject_id')})` },
  },
})
