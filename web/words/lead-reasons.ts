import { defineWords } from '#contract/words.ts'
/** Reasons for losing or rejecting a lead, on its page and in the activity. */
export const leadReasons = defineWords('lead-reasons', 'partner', {
  duplicate: 'Duplicate',
  'existing-customer': 'Existing customer',
  'not-a-fit': 'Not a fit',
  'insufficient-info': 'Insufficient info',
  'out-of-territory': 'Out of territory',
  'too-early': 'Too early',
  'no-response': 'No response',
  spam: 'Spam',
  'self-referral': 'Self-referral',
  other: 'Other',
})
