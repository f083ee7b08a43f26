import { lazyPart } from '../../ui/lazy-part.tsx'

/** The form of a webhook's mapping: its code loads once the webhook is there, as its first screen is another. */
export const MappingForm = lazyPart(async () => (await import('./MappingForm.tsx')).MappingForm)
