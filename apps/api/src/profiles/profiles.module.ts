import { Module } from '@nestjs/common';
import { StorageModule } from '../storage/storage.module.js';
import { ProfilesController } from './profiles.controller.js';
import { ProfilesService } from './profiles.service.js';

/** Everything of profiles, except in lists of animals. */
@Module({ imports: [StorageModule], controllers: [ProfilesController], providers: [ProfilesService] })
export class ProfilesModule {}
