import * as features from '#features/index.contract.ts'
import { mergeParts } from './merge-parts.ts'

const attentionOfFeatures = mergeParts(features, 'attention')
const ownAttentionKinds = [
  'waiting-applications',
  'unanswered-leads',
  'blocked-payouts',
  'unhealthy-provider',
  'failing-webhook',
  'incoming-webhook-conflict',
  'unattributed-leads',
  'sales-on-hold',
] as const

/** Kinds of items that need an owner’s attention, in the order in which they are shown. */
export const attentionKinds = ownAttentionKinds.flatMap((kind) => [
  kind,
  ...(Object.keys(attentionOfFeatures) as (keyof typeof attentionOfFeatures)[]).filter(
    (other) => attentionOfFeatures[other] === kind,
  ),
])
