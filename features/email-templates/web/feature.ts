import { webFeature } from '#web/feature.ts'
import { lazyComponent } from '#web/ui/lazy-part.tsx'

export const emailTemplates = webFeature({
  settings: { emails: lazyComponent(async () => (await import('./Emails.tsx')).Emails) },
})
