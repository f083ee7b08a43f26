import { webFeature } from '#web/feature.ts'
import { defineScreen } from '#web/routes/screen-of.tsx'
import { readsOfPushData } from './queries.ts'

const PushData = defineScreen(() => import('./PushData.tsx'), readsOfPushData)

export const push = webFeature({ screens: [{ path: '/integrations/push-data', allow: 'team', screen: PushData }] })
