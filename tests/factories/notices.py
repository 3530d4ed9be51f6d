"""People who are told of something."""

from campaign.services.notifications.notifications import Kind, notices_write


def addressed(user, address="johnny@example.org"):
    user.email = address
    user.save()
    return user


def tell(campaign, *users, kind=Kind.PUBLISHED, subject="record 1") -> None:
    notices_write(campaign=campaign, kind=kind, subject=subject, users=users)
