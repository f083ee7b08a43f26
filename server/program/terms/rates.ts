import type { Pay } from '#contract/terms.ts'
import type { CommissionSettings } from '#contract/values.ts'

/** Converts percent to the stored parts per million: 7.5 -> 75000. */
export const toPpm = (settings: CommissionSettings) => settings.layerRates.map((rate) => Math.round(rate * 10_000))

export const fromPpm = (ppm: number[]): CommissionSettings => ({ layerRates: ppm.map((rate) => rate / 10_000) })

/** Percentages of a payment, in parts per million; zero for amounts. */
export const toLayerPpm = ({ layerRates = [0] }: Pay) => toPpm({ layerRates })
