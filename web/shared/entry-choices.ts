import { entryKinds, entryStatuses } from '#contract/commissions.ts'
import { t } from '../words.ts'
import { comingParts, dueParts, heldParts } from './lists-behind.ts'
import { statusLabel } from './StatusBadge.tsx'

/** Choices of the status filter of a list of commissions: each status, and the parts of a balance. */
export const entryStatusChoices = () => [
  ...entryStatuses.map((value) => ({ value: value as string, label: statusLabel('commission', value) })),
  { value: heldParts, label: t('partners.commissions.heldParts') },
  { value: dueParts, label: t('partners.commissions.dueParts') },
  { value: comingParts, label: t('partners.commissions.comingParts') },
]

export const entryKindChoices = () =>
  entryKinds.map((value) => ({ value, label: t(`partners.commissions.kinds.${value}`) }))
