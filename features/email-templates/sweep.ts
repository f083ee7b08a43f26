const text = { subject: 'You earned {{amount}}', body: 'Hello {{partner_first_name}}' }

export const bodies = {
  saveEmailTemplate: () => ({ ...text, translations: { de: { subject: '{{amount}} verdient', body: 'Hallo' } } }),
  previewEmailTemplate: () => ({ ...text, language: 'de' }),
  testEmailTemplate: () => ({ ...text, language: 'de' }),
  changeEmailSender: () => ({ fromName: 'Acme Partners', replyTo: 'partners@acme.example' }),
}

export const requiredRights = {
  listEmailTemplates: 'earn',
  saveEmailTemplate: 'earn',
  resetEmailTemplate: 'earn',
  previewEmailTemplate: 'earn',
  testEmailTemplate: 'earn',
  getEmailSender: 'earn',
  changeEmailSender: 'earn',
}
