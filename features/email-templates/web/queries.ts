import { apiQuery } from '#web/calls.ts'
import { getEmailSender, listEmailTemplates, previewEmailTemplate, type TriedEmailText } from '../contract.ts'

export const templatesQuery = (accountId: string) => apiQuery(listEmailTemplates, { params: { id: accountId } })

export const senderQuery = (accountId: string) => apiQuery(getEmailSender, { params: { id: accountId } })

export const previewQuery = (accountId: string, kind: string, body: TriedEmailText) =>
  apiQuery(previewEmailTemplate, { params: { id: accountId, kind }, body })
