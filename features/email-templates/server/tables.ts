import { z } from 'zod'
import { declareTables } from '#server/platform/database/declare-tables.ts'
import { callFields } from '#server/platform/database/shapes.ts'
import { EmailSenderChange, EmailText, emailTemplateKinds } from '../contract.ts'

declareTables({
  email_templates: {
    columns: 'account_id kind subject body updated_at',
    exported: {
      order: 'kind',
      shapes: { kind: z.enum(emailTemplateKinds), ...callFields(EmailText, 'subject body') },
    },
  },
  email_senders: {
    columns: 'account_id from_name reply_to',
    exported: { order: 'account_id', shapes: { ...callFields(EmailSenderChange, 'fromName replyTo') } },
  },
})
