import { lazyComponent } from '../../ui/lazy-part.tsx'

/** The form of a webhook's mapping: its code loads once the webhook is there, as its first screen is another. */
export const MappingForm = lazyComponent(async () => (await import('./MappingForm.tsx')).MappingForm)

/** Fields for how another system authenticates: a known sender needs its secret alone. */
export const AuthFields = lazyComponent(async () => (await import('./AuthFields.tsx')).AuthFields)
