import { feature } from '#server/feature.ts'
import { describeEvent } from '#server/integrations/outgoing-webhooks/describe-event.ts'
import { claimDecided } from '../mail/claim-decided.ts'
import { claimMade } from '../mail/claim-made.ts'
import { askedOfClaims } from './ask-partner.ts'
import { emptyOldClaims } from './empty-old-claims.ts'
import { openClaims } from './open-claims.ts'

export const claims = feature({
  attention: [openClaims],
  questions: [askedOfClaims],
  mails: { 'claim-made': claimMade, 'claim-decided': claimDecided },
  messages: [
    describeEvent('claim.made', ({ id, partnerName, orderId, state }) => ({
      facts: [
        ['Partner', partnerName],
        ['Order', orderId],
        ['Status', state],
      ],
      screen: `/claims/${id}`,
    })),
  ],
  accountRetention: [emptyOldClaims],
})
