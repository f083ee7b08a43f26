import { isLate, isSigned, type SignatureForm } from '../../platform/http/signature.ts'
import type { EventDelivery } from './provider.ts'

/** Whether a delivery is signed with a secret, and within the last five minutes if its signature has a time. */
export const isProven = (form: SignatureForm, secret: string | undefined, delivery: EventDelivery): boolean =>
  isSigned(form, secret ?? '', delivery) && !isLate(form, delivery, delivery.reach.now)
