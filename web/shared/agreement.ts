import { getAgreement, listAgreementVersions } from '#contract/agreement.ts'
import { apiQuery } from '../calls.ts'

/** All versions without their texts, the newest first; for a partner with their acceptances. */
export const agreementVersionsQuery = (accountId: string, partnerId?: string) =>
  apiQuery(listAgreementVersions, { params: { id: accountId }, query: { partnerId } })

/** In this language if there is one, by default in the partner's. */
export const agreementQuery = (accountId: string, language?: string) =>
  apiQuery(getAgreement, { params: { id: accountId }, query: { language } })
