import { NewTranslation } from '#contract/agreement.ts'
import { Email } from '#contract/values.ts'
import { declareTables, emptyColumns, LOGIN } from '../../platform/database/declare-tables.ts'
import { isErasedSql } from '../../platform/database/erased-rows.ts'
import { anyText, callFields, Digest, Network } from '../../platform/database/shapes.ts'
import { sql } from '../../platform/database/sql.ts'

declareTables({
  agreement_versions: {
    columns: 'account_id version text text_sha256 changes required_from published_at published_by language',
    exported: {
      order: 'version',
      stays: { [LOGIN]: ['published_by'] },
      shapes: { ...callFields(NewTranslation, 'language text changes') },
    },
  },
  agreement_translations: {
    columns: 'account_id version language text text_sha256 changes published_at published_by',
    exported: {
      order: 'version, language',
      stays: { [LOGIN]: ['published_by'] },
      shapes: { ...callFields(NewTranslation, 'language text changes') },
    },
  },
  agreement_acceptances: {
    columns: 'account_id partner_id version text_sha256 through user_id at language',
    personal: [emptyColumns('partner', 'name email network')],
    exported: {
      order: 'partner_id, version',
      stays: { [LOGIN]: ['user_id'] },
      shapes: {
        ...callFields(NewTranslation, 'language'),
        text_sha256: Digest,
        name: anyText(),
        email: Email,
        network: Network,
      },
    },
    erased: {
      partner({ partnerId }) {
        const ofPartner = sql`t.partner_id = ${partnerId}`
        return {
          key: [
            ['partner_id', 'uuid'],
            ['version', 'integer'],
          ],
          which: ofPartner,
        }
      },
    },
    ofErased: { partner: isErasedSql('partner', 't.partner_id') },
  },
})
