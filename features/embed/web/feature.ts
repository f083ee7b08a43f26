import { webFeature } from '#web/feature.ts'
import { defineScreen } from '#web/routes/screen-of.tsx'
import { readsOfEmbedCode } from './queries.ts'

const EmbedCode = defineScreen(() => import('./EmbedCode.tsx'), readsOfEmbedCode)

export const embed = webFeature({ screens: [{ path: '/integrations/embed-code', allow: 'team', screen: EmbedCode }] })
