import type { GroupReward } from '#contract/groups.ts'
import type { Terms } from '#contract/terms.ts'
import { wrongField } from '../../platform/refusal.ts'

/** Refuses: terms for customers with several layers, or with anything but whole units if these are their reward. */
export function checkReward({ rules, otherwise, maxPerCustomer, maxPerMonth, maxPerYear }: Terms, reward: GroupReward) {
  const pays = [['otherwise', otherwise] as const, ...rules.map((rule, at) => [`rules.${at}`, rule] as const)]
  for (const [field, { layerRates, layerAmounts }] of pays) {
    if ((layerRates ?? layerAmounts ?? []).length > 1)
      throw wrongField(`terms.${field}.${layerRates ? 'layerRates' : 'layerAmounts'}`, 'one_layer_only')
    if (reward.as === 'units' && layerRates) throw wrongField(`terms.${field}.layerRates`, 'units_are_amounts')
    checkUnits(`terms.${field}.layerAmounts`, layerAmounts?.[0], reward)
  }
  checkUnits('terms.maxPerCustomer', maxPerCustomer, reward)
  checkUnits('terms.maxPerMonth', maxPerMonth, reward)
  checkUnits('terms.maxPerYear', maxPerYear, reward)
}

/** Refuses: an amount that isn't whole units, if these are the reward. */
export function checkUnits(field: string, amount: number | null | undefined, reward: GroupReward | undefined) {
  if (reward?.as === 'units' && amount && amount % reward.unitValue !== 0)
    throw wrongField(field, 'not_whole_units', { value: String(reward.unitValue) })
}
