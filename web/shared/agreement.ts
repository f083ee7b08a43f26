import { getAgreement, listAgreementVersions } from '#contract/agreement.ts'
import { apiQuery } from '../calls.ts'

/** All versions without their texts, the newest first; for a partner with their acceptances. */
export const agreementVersionsQuery = (accountId: string, partnerId?: string) =>
  apiQuery(listAgreementVersions, { params: { id: accountId }, query: { partnerId } })

export const agreementQuery = (accountId: string) => apiQuery(getAgreement, { params: { id: accountId } })
