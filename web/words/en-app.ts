import { activityWords } from './en-activity.ts'
import { adminWords } from './en-admin.ts'
import { blockerWords } from './en-blockers.ts'
import { checklistWords } from './en-checklist.ts'
import { attentionWords, dashboardWords } from './en-dashboard.ts'
import { embedCodeWords } from './en-embed-code.ts'
import { howItWorksWords } from './en-how-it-works.ts'
import { importWords } from './en-imports.ts'
import { incomingWebhookWords } from './en-incoming-webhooks.ts'
import { leadWords, saleWords } from './en-leads.ts'
import { linkWords } from './en-links.ts'
import { mailWords } from './en-mail.ts'
import { outgoingWebhookWords } from './en-outgoing-webhooks.ts'
import { paletteWords } from './en-palette.ts'
import { partnerWords } from './en-partners.ts'
import { paymentProviderWords } from './en-payment-providers.ts'
import { payoutWords } from './en-payouts.ts'
import { pieceWords } from './en-pieces.ts'
import { profileWords } from './en-profile.ts'
import { pushDataWords } from './en-push-data.ts'
import { rehearsalWords } from './en-rehearsal.ts'
import { settingsWords } from './en-settings.ts'
import { shellWords } from './en-shell.ts'
import { systemWords } from './en-system.ts'
import { yearReportWords } from './en-year-report.ts'

/**
 * The words of the signed-in application, in addition to en.ts. Only the shell's are loaded with it; a section of another
 * file is loaded with the code that uses it (build/words-of-screens.ts).
 */
export const enApp = {
  ...shellWords,
  ...pieceWords,
  activity: activityWords,
  attention: attentionWords,
  dashboard: dashboardWords,
  checklist: checklistWords,
  admin: adminWords,
  howItWorks: howItWorksWords,
  importData: importWords,
  incomingWebhooks: incomingWebhookWords,
  leads: leadWords,
  sales: saleWords,
  embedCode: embedCodeWords,
  links: linkWords,
  mail: mailWords,
  outgoingWebhooks: outgoingWebhookWords,
  palette: paletteWords,
  partners: partnerWords,
  paymentProviders: paymentProviderWords,
  payouts: payoutWords,
  profile: profileWords,
  pushData: pushDataWords,
  blockers: blockerWords,
  rehearsal: rehearsalWords,
  settings: settingsWords,
  system: systemWords,
  yearReport: yearReportWords,
} as const
