/** The words of its tab under Leads. */
export const caseTabWords = { label: 'Fraud review', also: 'evidence desk fraud cases suspicious sales holds' }
