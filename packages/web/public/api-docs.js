// Shows the room's openapi.json, which stands beside the page.
SwaggerUIBundle({
  dom_id: '#docs',
  url: 'openapi.json',
  deepLinking: false,
  presets: [SwaggerUIBundle.presets.apis],
  // Nothing is asked of other hosts.
  validatorUrl: null,
});
