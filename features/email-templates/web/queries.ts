import { apiQuery } from '#web/calls.ts'
import { type EmailText, getEmailSender, listEmailTemplates, previewEmailTemplate } from '../contract.ts'

export const templatesQuery = (accountId: string) => apiQuery(listEmailTemplates, { params: { id: accountId } })

export const senderQuery = (accountId: string) => apiQuery(getEmailSender, { params: { id: accountId } })

export const previewQuery = (accountId: string, kind: string, body: EmailText) =>
  apiQuery(previewEmailTemplate, { params: { id: accountId, kind }, body })
