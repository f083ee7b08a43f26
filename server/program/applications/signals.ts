import { defineSignal } from '../../platform/events/emit-event.ts'

/** An applicant needs a mail: a question or a decision. */
export const confirmationAsked = defineSignal<{ applicationId: string }>('application.confirmation-asked')
export const applicantKnown = defineSignal<{ applicationId: string }>('application.applicant-known')
export const applicantRejected = defineSignal<{ applicationId: string }>('application.applicant-rejected')
