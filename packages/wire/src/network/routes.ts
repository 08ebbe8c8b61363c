export * from './routes/cards.ts';
export * from './routes/concierge.ts';
export * from './routes/consent.ts';
export * from './routes/delivery.ts';
export * from './routes/front-door.ts';
export * from './routes/identity.ts';
export * from './routes/legacy-inbox.ts';
export * from './routes/messages.ts';
