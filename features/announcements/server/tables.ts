import { LanguageTag } from '#contract/values.ts'
import { declareTables, LOGIN } from '#server/platform/database/declare-tables.ts'
import { callFields } from '#server/platform/database/shapes.ts'
import { NewAnnouncement } from '../contract.ts'

declareTables({
  announcements: {
    subject: 'announcement',
    columns: 'id account_id subject body language translations sent_by sent_on created_at deleted_at',
    exported: {
      stays: { [LOGIN]: ['sent_by'] },
      shapes: { ...callFields(NewAnnouncement, 'subject body translations'), language: LanguageTag },
    },
  },
  announcement_readers: {
    columns: 'account_id announcement_id partner_id mail read_at',
    exported: { order: 'announcement_id, partner_id' },
  },
})
