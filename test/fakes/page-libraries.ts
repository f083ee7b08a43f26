/**
 * Libraries of vendors on a customer's page, as their documentation describes them. Each is a script.
 */

/** Stripe's elements: what their reference was when they were first shown, and what it is now. */
export const STRIPE_ELEMENTS = `
  for (const name of ['stripe-pricing-table', 'stripe-buy-button'])
    customElements.define(name, class extends HTMLElement {
      static observedAttributes = ['client-reference-id']
      attributeChangedCallback(_name, _before, reference) { this.reference = reference }
    })`

/**
 * Typeform's: puts a frame into each element that it has not loaded yet, with the hidden fields behind \`#\`; a popup's
 * frame comes with the click. A page calls \`tf.load()\` for elements that come later.
 */
export const TYPEFORM = `
  window.tf = { load() {
    const frameFor = (element, id) => {
      const frame = document.createElement('iframe')
      const hidden = new URLSearchParams()
      for (const pair of (element.getAttribute('data-tf-hidden') || '').split(',').filter(Boolean))
        hidden.set(...pair.split('='))
      const url = new URL('https://form.typeform.com/to/' + id + '?typeform-embed=embed-widget')
      url.hash = hidden
      frame.src = url
      return frame
    }
    for (const element of document.querySelectorAll('[data-tf-widget]:not([data-tf-loaded])')) {
      element.dataset.tfLoaded = 'true'
      element.append(frameFor(element, element.dataset.tfWidget))
    }
    for (const button of document.querySelectorAll('[data-tf-popup]:not([data-tf-loaded])')) {
      button.dataset.tfLoaded = 'true'
      const frame = frameFor(button, button.dataset.tfPopup)
      button.onclick = () => document.body.append(frame)
    }
  } }
  addEventListener('DOMContentLoaded', tf.load)
  if (document.readyState !== 'loading') tf.load()`

/** Calendly's: puts a frame into each inline widget once. */
export const CALENDLY = `
  window.Calendly = { initInlineWidgets() {
    for (const element of document.querySelectorAll('.calendly-inline-widget:not([data-processed])')) {
      element.dataset.processed = 'true'
      const frame = document.createElement('iframe')
      const url = new URL(element.dataset.url)
      url.searchParams.set('embed_type', 'Inline')
      frame.src = url
      element.append(frame)
    }
  } }
  addEventListener('DOMContentLoaded', Calendly.initInlineWidgets)
  if (document.readyState !== 'loading') Calendly.initInlineWidgets()`

/** Paddle's: the settings of each checkout that was opened are in `opened`. It opens none before it has a token. */
export const PADDLE = `
  window.opened = []
  window.Paddle = {
    Initialize({ token }) { Paddle.token = token },
    Checkout: { open(settings) {
      if (!Paddle.token) throw new Error('Paddle.Initialize() was not called')
      opened.push(settings)
    } },
  }`
