export * from './routes/door.ts';
export * from './routes/message.ts';
export * from './routes/profile.ts';
export * from './routes/room.ts';
export * from './routes/trust.ts';
