import { defineWords } from '#contract/words.ts'
/** The words of its tab under Partners. */
export const assetTabWords = defineWords('asset-tab', 'partner', {
  label: 'Assets',
  also: 'material banners creatives swipe texts logos',
})
