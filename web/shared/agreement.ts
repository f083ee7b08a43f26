import { getAgreement, listAgreementVersions } from '#contract/agreement.ts'
import { read } from '../calls.ts'

/** All versions without their texts, the newest first; for a partner with their acceptances. */
export const agreementVersions = (accountId: string, partnerId?: string) =>
  read(listAgreementVersions, { params: { id: accountId }, query: { partnerId } })

export const agreement = (accountId: string) => read(getAgreement, { params: { id: accountId } })
