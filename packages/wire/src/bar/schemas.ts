export * from './schemas/documents.ts';
export * from './schemas/door.ts';
export * from './schemas/message.ts';
export * from './schemas/profile.ts';
export * from './schemas/room.ts';
export * from './schemas/trust.ts';
