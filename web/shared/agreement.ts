import { getAgreement, listAgreementVersions } from '#contract/agreement.ts'
import { read } from '../calls.ts'

/** All versions without their texts, the newest first. */
export const agreementVersions = (accountId: string) => read(listAgreementVersions, { params: { id: accountId } })

export const agreement = (accountId: string) => read(getAgreement, { params: { id: accountId } })
