import { z } from 'zod'
import { declareTables } from '#server/platform/database/declare-tables.ts'
import { callFields } from '#server/platform/database/shapes.ts'
import { EmailSenderChange, emailTemplateKinds, SavedEmailText } from '../contract.ts'

declareTables({
  email_templates: {
    columns: 'account_id kind subject body translations updated_at',
    exported: {
      order: 'kind',
      shapes: { kind: z.enum(emailTemplateKinds), ...callFields(SavedEmailText, 'subject body translations') },
    },
  },
  email_senders: {
    columns: 'account_id from_name reply_to',
    exported: { order: 'account_id', shapes: { ...callFields(EmailSenderChange, 'fromName replyTo') } },
  },
})
